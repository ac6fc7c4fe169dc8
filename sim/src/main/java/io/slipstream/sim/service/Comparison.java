package io.slipstream.sim.service;

import io.slipstream.service.Service;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.snapshot.Recovery;
import io.slipstream.service.testing.ReplayCheck;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import io.slipstream.sim.witness.Findings;
import io.slipstream.sim.witness.Witness;
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

    Comparison(World<M> world) {
        this.schedule = world.schedule();
        this.network = world.network();
        this.disk = world.disk();
        this.settings = world.settings();
        this.machines = world.witnesses(null);
        this.findings = world.findings();
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
            compareSnapshots();
            damageNewestSnapshot(live.stateHash());
        }
    }

    /** Whoever reads what is damaged hears of that, or does not need it. */
    void tryDamaged(Witness<M> live) {
        Witness<M> replayed = machines.get();
        try {
            Service.replay(settings.reading(reader()), replayed);
        } catch (IOException | RuntimeException e) {
            schedule.trace().note(READER, "is refused: " + e.getMessage(), 0);
            return;
        }
        findings.require(
                replayed.stateHash() == live.stateHash(),
                "a replay of a damaged log comes to another state in silence");
    }

    /** Each snapshot must be what the log leads to: the machine, and what the runtime remembers of its clients. */
    private void compareSnapshots() {
        try {
            if (ReplayCheck.run(settings.reading(reader()), machines, Recovery.Progress.NONE)
                    instanceof ReplayCheck.Diverged diverged) {
                findings.add(diverged.text());
            }
        } catch (IOException | RuntimeException e) {
            findings.add("the log cannot be checked: " + e);
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

    private SimulatedHost reader() {
        return new SimulatedHost(schedule, network, READER)
                .withStorage(new SimulatedStorage(disk, schedule.chance(READER).random()));
    }

    private @Nullable Witness<M> replay(String failure, long hash) {
        Witness<M> replayed = machines.get();
        try {
            Status status = Service.replay(settings.reading(reader()), replayed);
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
