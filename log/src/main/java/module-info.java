/** Logging off the main flow: binary frames at the call, text or a journal behind it; depends on the JDK alone. */
module io.slipstream.log {
    requires static org.jspecify;
    requires io.slipstream.data;
    requires transitive io.slipstream.core;
    requires transitive io.slipstream.journal;

    exports io.slipstream.log;
    exports io.slipstream.log.config;
    exports io.slipstream.log.event;
    exports io.slipstream.log.tool;
}
