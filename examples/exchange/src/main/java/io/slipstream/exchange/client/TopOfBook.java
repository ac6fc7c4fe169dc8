package io.slipstream.exchange.client;

/** The best bid and ask of an instrument; a side that nobody wants to trade on has price and quantity 0. */
public record TopOfBook(int instrument, long bidPrice, long bidQuantity, long askPrice, long askQuantity) {}
