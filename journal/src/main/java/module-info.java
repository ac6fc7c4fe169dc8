/** An append-only log of frames with checksums, honest durability levels and recovery; depends on the JDK alone. */
module io.slipstream.journal {
    requires static org.jspecify;
    requires jdk.unsupported;
    requires transitive io.slipstream.core;

    exports io.slipstream.journal;
    exports io.slipstream.journal.segment to io.slipstream.sim;
    exports io.slipstream.journal.storage;
}
