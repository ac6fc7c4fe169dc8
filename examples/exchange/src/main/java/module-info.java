/** A limit order book exchange: deterministic, allocation-free in steady state, and a service with a client. */
module io.slipstream.exchange {
    requires static org.jspecify;
    requires transitive io.slipstream.service;

    exports io.slipstream.exchange;
    exports io.slipstream.exchange.client;
    exports io.slipstream.exchange.service;
    exports io.slipstream.exchange.wire;

    provides io.slipstream.journal.record.PayloadFormat with
            io.slipstream.exchange.service.ExchangePayloadFormat;
}
