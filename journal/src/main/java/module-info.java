/** An append-only log of frames with checksums, honest durability levels and recovery; depends on the JDK alone. */
module io.slipstream.journal {
    requires static org.jspecify;
    requires jdk.unsupported;
    requires transitive io.slipstream.core;

    exports io.slipstream.journal;
    exports io.slipstream.journal.config;
    exports io.slipstream.journal.errors;
    exports io.slipstream.journal.record;
    exports io.slipstream.journal.storage;
    exports io.slipstream.journal.tool;

    uses io.slipstream.journal.record.PayloadFormat;
}
