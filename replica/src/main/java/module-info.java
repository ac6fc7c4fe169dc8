/** A second site that gets everything the journal of a service holds, and can take over; depends on the JDK alone. */
module io.slipstream.replica {
    requires static org.jspecify;
    requires transitive io.slipstream.service;

    exports io.slipstream.replica.backup;
    exports io.slipstream.replica.primary;
    exports io.slipstream.replica.site;
}
