package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pair of settings is either refused when it is made, or a journal works with it. */
class SettingsTest {
    /** One setting in two values or more. */
    private static final List<List<UnaryOperator<JournalConfig>>> SETTINGS = List.of(
            List.of(
                    config -> config.withWriteMode(WriteMode.BUFFERED),
                    config -> config.withWriteMode(WriteMode.DSYNC),
                    config -> config.withWriteMode(WriteMode.DIRECT),
                    config -> config.withWriteMode(WriteMode.MAPPED)),
            List.of(config -> config.withBlockBytes(512), config -> config.withBlockBytes(4096)),
            List.of(config -> config.withSegmentBytes(16 << 10), config -> config.withSegmentBytes(256 << 10)),
            List.of(config -> config.withBatchBytes(4096), config -> config.withBatchBytes(1 << 20)),
            List.of(
                    config -> config.withMaxSegmentAge(Duration.ofMillis(1)),
                    config -> config.withMaxSegmentAge(Duration.ofSeconds(Long.MAX_VALUE))),
            List.of(config -> config.withSpareSegments(0), config -> config.withSpareSegments(Integer.MAX_VALUE)),
            List.of(config -> config.withPreparedSegments(1), config -> config.withPreparedSegments(100)),
            List.of(
                    config -> config.withPolicy(RecoveryPolicy.TAIL),
                    config -> config.withPolicy(RecoveryPolicy.STRICT)),
            List.of(
                    config -> config.withVerification(JournalConfig.Verification.ALL),
                    config -> config.withVerification(JournalConfig.Verification.TAIL)));

    @TempDir
    Path temp;

    @Test
    void noMoreSegmentsArePreparedThanAProcessMayHaveFilesOpen() {
        for (int count : new int[] {Integer.MIN_VALUE, 0, 101, Integer.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JournalConfig.at(Durability.SYNC).withPreparedSegments(count))
                    .withMessageContaining("from 1 to 100, each of which is an open file")
                    .withMessageContaining("but is " + count);
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void eachPairIsRefusedOrWorks(Durability durability) throws Exception {
        JournalConfig base =
                JournalConfig.at(durability).withSegmentBytes(32 << 10).withPrepareInBackground(false);
        int refused = 0;
        int number = 0;
        for (int i = 0; i < SETTINGS.size(); i++) {
            for (int j = 0; j < i; j++) {
                for (UnaryOperator<JournalConfig> one : SETTINGS.get(i)) {
                    for (UnaryOperator<JournalConfig> other : SETTINGS.get(j)) {
                        JournalConfig config = orNull(base, one, other);
                        String what = i + " with " + j;
                        assertThat(orNull(base, other, one) == null)
                                .as("refused whatever comes first: %s", what)
                                .isEqualTo(config == null);
                        if (config == null) {
                            refused++;
                        } else {
                            requireToWork(config, what, temp.resolve("journal-" + number++));
                        }
                    }
                }
            }
        }
        assertThat(refused).as("DIRECT with small blocks alone").isEqualTo(1);
    }

    @Test
    void smallBlocksAreRefusedWhereWholePagesAreWritten() {
        JournalConfig config = JournalConfig.at(Durability.SYNC);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withWriteMode(WriteMode.DIRECT).withBlockBytes(512))
                .withMessageContaining("DIRECT")
                .withMessageContaining("4096");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withBlockBytes(512).withWriteMode(WriteMode.DIRECT))
                .withMessageContaining("512");
        assertThatThrownBy(() -> config.withMaxSegmentAge(Duration.ZERO)).hasMessageContaining("maxSegmentAge");
    }

    private static @Nullable JournalConfig orNull(
            JournalConfig base, UnaryOperator<JournalConfig> first, UnaryOperator<JournalConfig> second) {
        try {
            return second.apply(first.apply(base));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static void requireToWork(JournalConfig config, String what, Path folder) throws Exception {
        List<String> expected = new ArrayList<>();
        try {
            for (int life = 0; life < 2; life++) {
                try (Journal journal = Journal.open(folder, config)) {
                    for (int i = 0; i < 3; i++) {
                        expected.add("x".repeat(1_500) + i);
                        Records.appendAndCommit(journal, expected.getLast());
                    }
                    journal.flush();
                    assertThat(Records.read(journal, 1)).as(what).isEqualTo(expected);
                }
            }
        } catch (JournalException e) {
            // Not every file system can.
            assertThat(config.writeMode()).as("%s: %s", what, e.getMessage()).isEqualTo(WriteMode.DIRECT);
            assertThat(e.getMessage()).as(what).contains("cannot write past the page cache");
        }
    }
}
