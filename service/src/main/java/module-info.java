/** The event-sourced runtime: gateway, sessions, journal, logic, replies; and its client. */
// The floors above, to which the logic is exported, are not there when this is compiled.
@SuppressWarnings("module")
module io.slipstream.service {
    requires static jdk.jfr;
    requires static org.jspecify;
    requires transitive io.slipstream.core;
    requires transitive io.slipstream.data;
    requires transitive io.slipstream.ipc;
    requires transitive io.slipstream.journal;

    exports io.slipstream.service;
    exports io.slipstream.service.client;
    exports io.slipstream.service.gateway to
            io.slipstream.cluster;
    exports io.slipstream.service.host;
    exports io.slipstream.service.log to
            io.slipstream.cluster,
            io.slipstream.http,
            io.slipstream.replica;
    exports io.slipstream.service.logic to
            io.slipstream.cluster,
            io.slipstream.replica;
    exports io.slipstream.service.machine;
    exports io.slipstream.service.pressure;
    exports io.slipstream.service.protocol;
    exports io.slipstream.service.security;
    exports io.slipstream.service.spi;
    exports io.slipstream.service.snapshot;
    exports io.slipstream.service.testing;
    exports io.slipstream.service.typed;
}
