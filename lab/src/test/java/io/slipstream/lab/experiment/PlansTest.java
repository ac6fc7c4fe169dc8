package io.slipstream.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Size;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the forms that no test has the time to run ask of a machine. */
class PlansTest {
    private static final long GB = 1L << 30;
    private static final Path DISK = Path.of("/made-up/disk");
    private static final Path MEMORY = Path.of("/made-up/memory");

    static Stream<Arguments> forms() {
        return Catalog.all().stream()
                .flatMap(e -> Stream.of(Form.QUICK, Form.FULL)
                        .flatMap(form -> Stream.of(2, 8, 64)
                                .map(cpus -> Arguments.of(e.card().id(), form, cpus))));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void asksForNoMoreThanIsStated(String id, Form form, int cpus) {
        Plan plan = new Plan(form, cpus, DISK, MEMORY);
        Catalog.get(id).plan(plan);

        assertThat(plan.cases()).isNotEmpty();
        for (Case planned : plan.cases()) {
            assertThat(planned.needs().memoryBytes())
                    .as("memory of " + planned.name())
                    .isBetween(0L, form == Form.QUICK ? 3 * GB : 17 * GB);
            assertThat(planned.needs().rooms().getOrDefault(DISK, 0L))
                    .as("room on the disk for " + planned.name())
                    .isBetween(0L, form == Form.QUICK ? GB / 4 : 8 * GB);
            assertThat(planned.needs().rooms().getOrDefault(MEMORY, 0L))
                    .as("room in tmpfs for " + planned.name())
                    .isBetween(0L, form == Form.QUICK ? GB / 4 : GB / 2)
                    .isLessThanOrEqualTo(planned.needs().memoryBytes());
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void reportedFiguresHaveACaseToStandBeside(String id, Form form, int cpus) {
        Experiment experiment = Catalog.get(id);
        Plan plan = new Plan(form, cpus, DISK, MEMORY);
        experiment.plan(plan);

        Set<String> series = plan.cases().stream().map(Case::series).collect(Collectors.toSet());
        assertThat(series)
                .containsAll(experiment.card().reported().stream()
                        .map(Card.Reported::series)
                        .toList());
    }

    @Test
    void sizesOfTheArticleAreStatedBesideThoseOfTheForm() {
        Plan plan = new Plan(Form.QUICK, 2, DISK, MEMORY);
        Catalog.get("B8").plan(plan);
        Catalog.get("B23").plan(plan);

        assertThat(plan.sizes())
                .contains(
                        new Size("bytes of a file", 400L << 20, 16L << 20),
                        new Size("bytes in all", 16L << 30, 64L << 20));
    }

    @Test
    void aHeapIsSetSoThatTheNeedIsKnown() {
        Plan plan = new Plan(Form.TINY, 2, DISK, MEMORY);
        Case planned = plan.add("a", () -> round -> {}).heap(3 * GB);

        assertThat(planned.jvmFlags()).isEqualTo(List.of("-Xms3072m", "-Xmx3072m"));
        assertThat(planned.needs().memoryBytes()).isEqualTo(3 * GB);
        assertThatThrownBy(() -> planned.jvm("-Xmx4g")).hasMessageContaining("say heap(bytes) instead of -Xmx4g");
    }

    @Test
    void manySmallFilesNeedRoomWhereverTheyAre() {
        Plan plan = new Plan(Form.FULL, 2, DISK, MEMORY);
        Catalog.get("B25").plan(plan);

        assertThat(plan.cases().get(0).needs().rooms()).containsEntry(DISK, 100_000L * 5 * 1024);
        assertThat(plan.cases().get(1).needs().rooms()).containsEntry(MEMORY, 100_000L * 5 * 1024);
    }

    @Test
    void theHeapOfEveryForkIsNeededWhereACaseSetsNone() {
        Plan plan = new Plan(Form.TINY, 2, DISK, MEMORY);

        assertThat(plan.add("a", () -> round -> {}).needs().memoryBytes()).isEqualTo(GB);
        assertThat(plan.add("b", () -> round -> {}).needsMemory(GB).needs().memoryBytes())
                .isEqualTo(2 * GB);
        assertThat(plan.addTwin("c", "", "ping_pong.cpp").needs().memoryBytes()).isZero();
    }

    /** Twenty seconds of repeats and what a fork takes beside its rounds come on top. */
    @Test
    void theQuickFormsLeaveRoomInTenMinutesOnTwoProcessors() {
        assertThat(Catalog.all().stream()
                        .mapToLong(e -> e.card().takesOnTwo(Form.QUICK).toSeconds())
                        .sum())
                .isLessThanOrEqualTo(540);
    }
}
