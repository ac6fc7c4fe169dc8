/**
 * A durable key-value store that Redis clients talk to: the RESP protocol and a state machine with its keys off-heap.
 */
module io.slipstream.keyvalue {
    requires static org.jspecify;
    requires transitive io.slipstream.service;

    exports io.slipstream.keyvalue;
    exports io.slipstream.keyvalue.resp;
}
