/** Simulations of what a service stands on, with every fault that the real thing may have, from one seed. */
module io.slipstream.sim {
    requires static io.slipstream.cluster;
    requires static org.jspecify;
    requires io.slipstream.replica;
    requires transitive io.slipstream.journal;
    requires transitive io.slipstream.service;

    exports io.slipstream.sim.cluster;
    exports io.slipstream.sim.example;
    exports io.slipstream.sim.host;
    exports io.slipstream.sim.journal;
    exports io.slipstream.sim.network;
    exports io.slipstream.sim.pair;
    exports io.slipstream.sim.service;
    exports io.slipstream.sim.storage;
    exports io.slipstream.sim.tally;
    exports io.slipstream.sim.workload;
    exports io.slipstream.sim.world;
}
