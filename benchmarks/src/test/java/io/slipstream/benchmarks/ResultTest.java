package io.slipstream.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Unit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultTest {
    private static final Unit THROUGHPUT = Unit.throughput("M ops/s");
    private static final Unit COST = Unit.cost("ns");
    private static final Place PLACE = new Place("two \"cores\"", "25", "/here", "ext4", "/dev/vda");

    @Test
    void takesTheMedianOfAllRounds() {
        assertThat(rounds(9, 1, 5).median()).isEqualTo(5);
        assertThat(rounds(4, 1, 2, 9).median()).isEqualTo(3);
        assertThat(rounds(4, 6, 5).spread()).isEqualTo(0.4);
        assertThatIllegalArgumentException().isThrownBy(ResultTest::rounds);
    }

    @Test
    void comparesRoundByRoundSoThatAChangeOfTheMachineDoesNotDecide() {
        Rounds ours = rounds(30, 300, 31, 290, 29);
        Rounds peer = rounds(20, 200, 200, 190, 20);
        assertThat(ours.dividedBy(peer).median()).isBetween(1.45, 1.55);
    }

    @Test
    void wantsAThroughputToBeAtLeastTheTarget() {
        assertThat(result(THROUGHPUT, 1.5, 30, 20).met()).isTrue();
        assertThat(result(THROUGHPUT, 1.5, 29, 20).met()).isFalse();
        assertThat(Table.line(result(THROUGHPUT, 1.5, 30, 20))).contains("1.50", ">= 1.50", " yes ", "a \"peer\"");
    }

    @Test
    void wantsACostToBeAtMostTheTarget() {
        assertThat(result(COST, 0.9, 18, 20).met()).isTrue();
        assertThat(result(COST, 0.9, 19, 20).met()).isFalse();
        assertThat(Table.line(result(COST, 0.9, 19, 20))).contains("<= 0.90", " NO ");
    }

    @Test
    void reportsOnlyWhereThereIsNoTarget() {
        assertThat(result(COST, null, 19, 20).met()).isNull();
        assertThat(JsonReport.object(result(COST, null, 19, 20), PLACE)).contains("\"target\": null, \"met\": null");
    }

    @Test
    void writesAJsonArrayWithAllRounds(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("results.json");
        JsonReport.write(file, List.of(result(THROUGHPUT, 1.5, 30, 20), result(COST, null, 19, 20)), PLACE);
        assertThat(Files.readString(file))
                .startsWith("[\n  {\"suite\": \"suite\", \"name\": \"name\", "
                        + "\"unit\": \"M ops/s\", \"ours\": 30.0, \"peer\": 20.0, \"peerName\": \"a \\\"peer\\\"\", "
                        + "\"ratio\": 1.5, \"target\": 1.5, \"met\": true, "
                        + "\"oursBytes\": null, \"peerBytes\": null, \"rounds\": {\"ours\": [30.0], \"peer\": [20.0], "
                        + "\"cpuRoundTripNanos\": [110.0, 460.0]}, "
                        + "\"place\": {\"machine\": \"two \\\"cores\\\"\", \"jdk\": \"25\", "
                        + "\"folder\": \"/here\", \"fileSystem\": \"ext4\", \"device\": \"/dev/vda\"}},\n  {")
                .endsWith("}}\n]\n");
    }

    @Test
    void saysHowManyBytesAreWritten() {
        Unit written = Unit.written("k records/s", 100_000);
        assertThat(Table.line(result(written, 1.5, 30, 20))).contains(" 3.0 / 2.0 ");
        assertThat(JsonReport.object(result(written, 1.5, 30, 20), PLACE))
                .contains("\"oursBytes\": 3000000.0, \"peerBytes\": 2000000.0");
    }

    @Test
    void saysOnWhichMachineAndDeviceItHasRun() throws Exception {
        assertThat(Place.here().heading())
                .containsPattern("machine: \\d+ processors.*, " + System.getProperty("os.name"))
                .contains(System.getProperty("java.runtime.version"))
                .containsPattern("folder:  " + Path.of("").toAbsolutePath() + ", \\S+ on \\S+");
    }

    @Test
    void readsTheCommandLine() {
        assertThat(Arguments.parse(new String[] {"exchange"})).isEqualTo(new Arguments("exchange", false, "", null));
        assertThat(Arguments.parse(new String[] {"--quick", "--json", "a.json", "--only", "diamond", "exchange"}))
                .isEqualTo(new Arguments("exchange", true, "diamond", Path.of("a.json")));
        assertWrong("name a suite");
        assertWrong("--json needs the name of a file", "exchange", "--json");
        assertWrong("--only needs a part", "exchange", "--only");
        assertWrong("there is no option --fast", "exchange", "--fast");
        assertWrong("one suite at a time, but there are two: a and b", "a", "b");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Suites.named("nothing"))
                .withMessageContaining("there is no suite 'nothing'; there are: exchange");
    }

    private static void assertWrong(String message, String... args) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Arguments.parse(args))
                .withMessageContaining(message);
    }

    private static Result result(Unit unit, @Nullable Double target, double ours, double peer) {
        Comparison comparison = new Comparison("name", unit, "a \"peer\"", target, Plan.QUICK, () -> {
            throw new AssertionError("not to be run");
        });
        return new Result("suite", comparison, rounds(ours), rounds(peer), rounds(110, 460));
    }

    private static Rounds rounds(double... figures) {
        return Rounds.of(figures);
    }
}
