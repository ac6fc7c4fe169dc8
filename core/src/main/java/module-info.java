/** Memory, rings, queues, threads and counters; depends on the JDK alone. */
module io.slipstream.core {
    requires static jdk.jfr;
    requires static org.jspecify;

    exports io.slipstream.core.affinity;
    exports io.slipstream.core.counters;
    exports io.slipstream.core.executor;
    exports io.slipstream.core.frame;
    exports io.slipstream.core.graph;
    exports io.slipstream.core.handler;
    exports io.slipstream.core.memory;
    exports io.slipstream.core.queue;
    exports io.slipstream.core.ring;
    exports io.slipstream.core.sequence;
    exports io.slipstream.core.text;
    exports io.slipstream.core.thread;
}
