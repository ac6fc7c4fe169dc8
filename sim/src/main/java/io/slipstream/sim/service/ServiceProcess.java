package io.slipstream.sim.service;

import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.storage.SimulatedStorage;
import io.slipstream.sim.witness.Witness;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One process of the service, from its start to its end. */
final class ServiceProcess<M extends StateMachine> {
    private final SimulatedHost host;
    private final SimulatedStorage storage;
    private @Nullable Service service;
    private @Nullable Witness<M> live;
    private boolean isLeaving;

    ServiceProcess(SimulatedHost host, SimulatedStorage storage) {
        this.host = host;
        this.storage = storage;
    }

    SimulatedHost host() {
        return host;
    }

    SimulatedStorage storage() {
        return storage;
    }

    @Nullable
    Service service() {
        return service;
    }

    /** Returns the machine that clients talk to. */
    @Nullable
    Witness<M> live() {
        return live;
    }

    /** Returns whether it was told to end. */
    boolean isLeaving() {
        return isLeaving;
    }

    void start(ServiceConfig config, Supplier<Witness<M>> machines, boolean isSnapshotOfSecond) throws IOException {
        if (isSnapshotOfSecond) {
            // Each snapshot is loaded into a third, which must come to the same state.
            service = Service.start(config.withSnapshots(config.snapshots().withLoadCheck()), () -> {
                Witness<M> made = machines.get();
                live = live == null ? made : live;
                return made;
            });
        } else {
            Witness<M> made = machines.get();
            live = made;
            service = Service.start(config, made);
        }
    }

    /** Ends it in order; on a dead machine gives back its memory. */
    void close() {
        isLeaving = true;
        Service open = service;
        try {
            if (open != null) {
                open.close();
            }
        } catch (SimulatedCrash e) {
            // Its disk is no more.
        }
    }
}
