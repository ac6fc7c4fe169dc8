/** Frames between processes through a memory-mapped file; depends on the JDK alone. */
module io.slipstream.ipc {
    requires static org.jspecify;
    requires transitive io.slipstream.core;

    exports io.slipstream.ipc;
    exports io.slipstream.ipc.errors;
}
