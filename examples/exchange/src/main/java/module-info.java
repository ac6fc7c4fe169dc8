/** A limit order book exchange: deterministic, and allocation-free in steady state. */
module io.slipstream.exchange {
    requires static org.jspecify;

    exports io.slipstream.exchange;
}
