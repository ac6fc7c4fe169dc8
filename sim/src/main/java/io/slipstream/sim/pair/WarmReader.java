package io.slipstream.sim.pair;

import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.SiteClient;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.tally.Tally;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Somebody who asks the warm state machine of the backup, from a machine of his own. */
final class WarmReader {
    private static final long LONGEST_THINK_NANOS = 2_000_000_000;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Schedule schedule;
    private final Chance chance;
    private final SimulatedHost host;
    private final SiteClient client;
    /* What was answered: behind so many commands the state had that hash. */
    private final Map<Long, Long> answers = new HashMap<>();
    private @Nullable String wrong;
    private boolean isDone;

    WarmReader(PairSimulation world) {
        this.schedule = world.schedule();
        this.chance = schedule.chance("warm reader");
        this.host = new SimulatedHost(schedule, world.network(), "warm-reader");
        this.client = new SiteClient(
                BackupConfig.of(PairSettings.SITE, PairSettings.TOKEN).withSilence(Duration.ofSeconds(1)), host);
        askSoon();
    }

    /** Asks nothing any more. */
    void finish() {
        isDone = true;
    }

    void leave() {
        host.die();
        host.unwind();
    }

    private void askSoon() {
        schedule.after(chance.someNanos(LONGEST_THINK_NANOS / 100, LONGEST_THINK_NANOS), () -> {
            if (!isDone) {
                host.threads().start("question", this::ask);
            }
        });
    }

    private void ask() {
        try {
            SiteClient.Answer answer = client.query(new byte[1]);
            MemorySegment payload = MemorySegment.ofArray(answer.payload());
            long count = payload.get(LONG, 0);
            long hash = payload.get(LONG, Long.BYTES);
            schedule.trace().note("warm-reader", "hears of the state behind command", count, hash);
            Long before = answers.put(count, hash);
            if (before != null && before != hash) {
                wrong = "the warm state machine had two states behind command " + count;
            }
        } catch (IOException e) {
            schedule.trace().note("warm-reader", "has no answer: " + e.getMessage(), 0);
        }
        askSoon();
    }

    /** Returns what it has heard that is no state on the way of these commands, or null. */
    @Nullable
    String differenceFrom(List<Long> applied) {
        long hash = 0;
        long count = 0;
        for (long id : applied) {
            require(count, hash);
            hash = Tally.next(hash, id);
            count++;
        }
        require(count, hash);
        for (long each : answers.keySet()) {
            if (each > count) {
                wrong = "the warm state machine had " + each + " commands, and there are " + count;
            }
        }
        return wrong;
    }

    private void require(long count, long hash) {
        Long heard = answers.get(count);
        if (heard != null && heard != hash) {
            wrong = "the warm state machine had another state behind command " + count;
        }
    }
}
