package io.slipstream.sim.service;

import io.slipstream.service.Service;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Status;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The end of a life: other machines read its disk, and must come to the state that clients have seen. */
final class Comparison<M extends StateMachine> {
    private static final String SNAPSHOT = ".snapshot";

    private static final String READER = "reader";
    private final Schedule schedule;
    private final SimulatedNetwork network;
    private final SimulatedDisk disk;
    private final Settings settings;
    private final Supplier<Witness<M>> machines;
    private final Findings findings;

    Comparison(
            Schedule schedule,
            SimulatedNetwork network,
            SimulatedDisk disk,
            Settings settings,
            Supplier<Witness<M>> machines,
            Findings findings) {
        this.schedule = schedule;
        this.network = network;
        this.disk = disk;
        this.settings = settings;
        this.machines = machines;
        this.findings = findings;
    }

    /**
     * Compares what is on the disk with the machine that has ended, and with what clients know.
     *
     * @param itemsUntilLeft  how many items of feeds there were before the clients left
     * @param eventsUntilLeft how many events for sessions
     */
    void compare(Witness<M> live, History history, int itemsUntilLeft, int eventsUntilLeft) {
        Witness<M> replayed = replay("the log does not replay", live.stateHash());
        if (replayed != null) {
            history.compare(replayed, itemsUntilLeft, eventsUntilLeft, settings.leastOutboxBytes());
            damageNewestSnapshot(live.stateHash());
        }
    }

    /** What is before a damaged snapshot must lead to the same state. */
    private void damageNewestSnapshot(long hash) {
        List<String> snapshots =
                disk.list().stream().filter(name -> name.endsWith(SNAPSHOT)).toList();
        if (findings.first() == null && !snapshots.isEmpty()) {
            String newest = snapshots.getLast();
            SplittableRandom random = schedule.chance(READER).random();
            byte[] content = disk.content(newest);
            if (content.length > 0) {
                content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
                disk.put(newest, content);
            }
            replay("with a flipped bit in " + newest + " the log does not replay", hash);
        }
    }

    private @Nullable Witness<M> replay(String failure, long hash) {
        SimulatedHost reader = new SimulatedHost(schedule, network, READER)
                .withStorage(new SimulatedStorage(disk, schedule.chance(READER).random()));
        Witness<M> replayed = machines.get();
        try {
            Status status = Service.replay(settings.reading(reader), replayed);
            schedule.trace().note(READER, "replayed", status.sequence());
        } catch (IOException | RuntimeException e) {
            findings.add(failure + ": " + e);
            return null;
        }
        findings.require(
                replayed.stateHash() == hash,
                "the state behind the last entry has the hash " + Long.toHexString(hash) + ", and a replay comes to "
                        + Long.toHexString(replayed.stateHash()));
        return replayed;
    }
}
