/** Memory, rings, queues, threads and counters; depends on the JDK alone. */
module io.slipstream.core {
    requires static org.jspecify;

    exports io.slipstream.core.memory;
}
