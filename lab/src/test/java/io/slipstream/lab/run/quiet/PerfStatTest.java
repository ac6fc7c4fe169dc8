package io.slipstream.lab.run.quiet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerfStatTest {

    @Test
    void readsTheCountsAndLeavesOutWhatIsNotOffered() {
        List<String> lines = List.of(
                "# started on Fri Nov 20 13:00:00 2026",
                "",
                "<not supported>,,cycles,0,100.00,,",
                "<not counted>,,branch-misses,0,0.00,,",
                "123456,,instructions:u,1000,100.00,1.2,insn per cycle",
                "0,,cpu-migrations,738093,100.00,0.000,/sec");

        assertThat(PerfStat.parse(lines))
                .containsExactlyInAnyOrderEntriesOf(Map.of("instructions", 123456.0, "cpu-migrations", 0.0));
    }

    @Test
    void countsOnlyBetweenItsBeginningAndItsEndAndLeavesNothingBehind(@TempDir Path scratch) throws Exception {
        PerfStat counting = PerfStat.start(scratch, ProcessHandle.current());
        assumeTrue(counting != null && counting.begin(), "perf is not installed, not permitted or too old here");

        Map<String, Double> counts = counting == null ? Map.of() : counting.end();

        assertThat(counts)
                .isNotEmpty()
                .allSatisfy((event, count) -> assertThat(count).isNotNegative());
        assertThat(scratch).isEmptyDirectory();
    }
}
