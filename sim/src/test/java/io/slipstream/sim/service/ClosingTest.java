package io.slipstream.sim.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import io.slipstream.sim.world.Schedule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever keeps the machine of a service that was closed finds in it what a replay of the log leads to. */
class ClosingTest {
    private static final int LIVES = 50;
    private static final int PORT = 7000;
    private static final long LONGEST_ROUND_NANOS = 200_000;
    private static final long SECOND = 1_000_000_000;

    @ParameterizedTest
    @EnumSource(Threading.class)
    void appliesEveryTimerThatIsInTheLog(Threading threading) throws Exception {
        for (int seed = 1; seed <= LIVES; seed++) {
            Schedule schedule = new Schedule(seed);
            SimulatedNetwork network = new SimulatedNetwork(schedule);
            SimulatedDisk disk = new SimulatedDisk();
            Supplier<ServiceConfig> config =
                    () -> config(schedule, network, disk).withThreading(threading);
            Ticking live = new Ticking();
            try (Service service = Service.start(config.get(), live)) {
                SimulatedHost host = new SimulatedHost(schedule, network, "client");
                ServiceClient client = ServiceClient.builder("127.0.0.1", service.port())
                        .machine(host)
                        .begin();
                schedule.runUntil(SECOND);
                client.send(new byte[8]);
                schedule.runUntil(SECOND + schedule.chance("end").someNanos(SECOND / 100, SECOND / 50));
                client.disconnect();
            }
            Ticking replayed = new Ticking();
            Service.replay(config.get(), replayed);
            assertThat(live.fired).as("seed %d", seed).isPositive().isEqualTo(replayed.fired);
        }
    }

    /** Each round of a thread takes a while, so that the logic is often behind the journal. */
    private static ServiceConfig config(Schedule schedule, SimulatedNetwork network, SimulatedDisk disk) {
        SimulatedHost host = new SimulatedHost(schedule, network, "service")
                .withStorage(new SimulatedStorage(disk, schedule.chance("disk").random()));
        host.betweenRounds(() -> schedule.chance("rounds").random().nextLong(LONGEST_ROUND_NANOS));
        return ServiceConfig.in(Path.of("simulated"))
                .withHost(host)
                .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT))
                .withJournal(JournalConfig.at(Durability.SYNC)
                        .withSegmentBytes(1 << 20)
                        .withPrepareInBackground(false));
    }

    /** Sets its timer anew whenever it fires, so that there is nearly always a tick on its way. */
    private static final class Ticking implements StateMachine {
        private static final long INTERVAL_NANOS = 50_000;

        private long fired;

        @Override
        public void onCommand(Request command, Output output) {
            output.schedule(1, output.timeNanos() + INTERVAL_NANOS);
        }

        @Override
        public void onTimer(long timer, Output output) {
            fired++;
            output.schedule(1, output.timeNanos() + INTERVAL_NANOS);
        }

        @Override
        public long stateHash() {
            return fired;
        }
    }
}
