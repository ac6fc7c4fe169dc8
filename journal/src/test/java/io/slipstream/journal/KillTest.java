package io.slipstream.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Kills a process that appends, at random moments, and looks at what is there afterwards. With {@code KILLS=1000} in
 * the
 * environment it does so that often.
 */
@Timeout(3600)
class KillTest {
    private static final int KILLS = Integer.parseInt(System.getenv().getOrDefault("KILLS", "100"));
    private static final int SEGMENT = 64 << 10;

    @TempDir
    Path temp;

    @Test
    void losesNothingAcknowledgedAndInventsNothingHoweverOftenItIsKilled() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<Durability> levels = List.of(Durability.PROCESS, Durability.SYNC);
        List<WriteMode> modes = List.of(WriteMode.BUFFERED, WriteMode.MAPPED, WriteMode.DSYNC);
        for (int kill = 0; kill < KILLS; kill++) {
            Durability durability = levels.get(kill % levels.size());
            WriteMode mode = modes.get(kill % modes.size());
            Path folder = temp.resolve("journal-" + kill % 7);
            long acked;
            try (ChildProcess child = ChildProcess.appending(List.of(), folder, durability, mode, SEGMENT)) {
                String open = Objects.requireNonNull(child.nextLine());
                assertThat(open).as("seed %d", seed).startsWith("open ");
                acked = number(open);
                int lines = random.nextInt(200);
                for (int i = 0; i < lines; i++) {
                    acked = number(Objects.requireNonNull(child.nextLine()));
                }
                for (String line : child.kill()) {
                    acked = line.matches("acked \\d+") ? Math.max(acked, number(line)) : acked;
                }
            }
            checkAfter(folder, durability, acked, "kill " + kill + " of seed " + seed + ", " + durability + " " + mode);
        }
    }

    @Test
    void isLockedWhileItsProcessLivesAndFreeAsSoonAsItIsDead() throws Exception {
        Path folder = temp.resolve("locked");
        try (ChildProcess child = ChildProcess.appending(List.of(), folder, Durability.PROCESS, WriteMode.BUFFERED,
                SEGMENT)) {
            child.nextLine();
            assertThatThrownBy(() -> Journal.open(folder, JournalConfig.at(Durability.PROCESS)))
                    .isInstanceOf(JournalLockedException.class).hasMessageContaining(folder.toString());
            child.kill();
            Journal.open(folder, JournalConfig.at(Durability.PROCESS).withSegmentBytes(SEGMENT)).close();
        }
    }

    private static void checkAfter(Path folder, Durability durability, long acked, String what) throws Exception {
        try (Journal journal = Journal.open(folder, JournalConfig.at(durability).withSegmentBytes(SEGMENT))) {
            assertThat(journal.recovery().lastSequence()).as(what).isGreaterThanOrEqualTo(acked);
            List<String> wrong = new ArrayList<>();
            long[] sequence = {journal.firstSequence() - 1};
            journal.read(journal.firstSequence(), (memory, offset, length) -> {
                sequence[0]++;
                String payload = Records.payload(memory, offset, length);
                if (!payload.equals(AppendingProcess.payload(sequence[0]))) {
                    wrong.add(payload);
                }
            });
            assertThat(wrong).as(what).isEmpty();
            assertThat(sequence[0]).as(what).isEqualTo(journal.recovery().lastSequence());
            journal.trim(journal.nextSequence() - 500);
        }
    }

    private static long number(String line) {
        return Long.parseLong(line.substring(line.indexOf(' ') + 1));
    }
}
