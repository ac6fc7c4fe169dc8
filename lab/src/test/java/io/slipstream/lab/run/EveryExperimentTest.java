package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Judge;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import io.slipstream.lab.experiment.Catalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each case of each experiment runs for a moment and gives the figures that its card promises and its verdict asks for:
 * workloads and twins under this JVM, benchmarks of JMH together in one of theirs.
 */
class EveryExperimentTest {
    private static final Pattern NO_METRIC = Pattern.compile("'([^']+)' could not be measured here");

    static List<Experiment> experiments() {
        return Catalog.all();
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void runsInItsTiniestForm(Experiment experiment, @TempDir Path parent) throws Exception {
        Path directory = Files.createDirectory(parent.resolve("my disk"));
        Plan plan = new Plan(Form.TINY, 2, directory, directory);
        experiment.plan(plan);
        Findings found = new Findings();
        boolean skipped = false;
        boolean complete = true;
        for (Case planned : plan.cases()) {
            Case.Twin twin = planned.twin();
            if (planned.skipReason() != null
                    || !planned.fits(Runtime.version().feature())
                    || (twin != null && !CppProgram.isPossible())) {
                skipped |= planned.skipReason() != null;
                complete = false;
                continue;
            }
            if (planned.benchmark() == null) {
                List<Event> events = new ArrayList<>();
                // On a thread of its own, because a workload may pin the one it runs on.
                Crew.run(1, member -> CaseRunner.run(planned, Form.TINY, directory, events::add));
                for (Event event : events) {
                    if (event.kind().equals("round")) {
                        Objects.requireNonNull(event.values())
                                .forEach((metric, value) ->
                                        found.put(planned.series(), planned.x(), metric, Sample.of(value)));
                    }
                }
            } else {
                for (Event event : TinyBenchmarks.events(experiment, planned)) {
                    Objects.requireNonNull(event.values())
                            .forEach((metric, value) ->
                                    found.put(planned.series(), planned.x(), metric, Sample.of(value)));
                }
            }
        }
        if (!skipped) {
            assertThat(found.metrics())
                    .as("metrics of " + experiment.card().id())
                    .containsAll(Stream.concat(
                                    experiment.card().plots().stream().map(Plot::metric),
                                    experiment.card().reported().stream().map(Card.Reported::metric))
                            .filter(metric -> CppProgram.isPossible() || !metric.contains("C++"))
                            .toList());
        }
        assertThat(plan.cases())
                .extracting(Case::series)
                .as("series of " + experiment.card().id())
                .containsAll(experiment.card().reported().stream()
                        .map(Card.Reported::series)
                        .toList());
        removePrograms(directory);
        assertThat(directory).isEmptyDirectory();
        String reason = Judge.judge(experiment, found, 2).reason();
        assertThat(reason).isNotBlank();
        if (complete) {
            // A moment may be too short for a point of a curve, but not for a whole series or metric.
            assertThat(reason).doesNotContain("it was not run");
            NO_METRIC
                    .matcher(reason)
                    .results()
                    .forEach(m -> assertThat(found.metrics()).contains(m.group(1)));
        }
    }

    /** Compiled twins stay until the directory goes, for the next fork. */
    private static void removePrograms(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path program : files.filter(Files::isExecutable).toList()) {
                Files.delete(program);
            }
        }
    }

    @Test
    void everyCardIsComplete() {
        for (Experiment experiment : Catalog.all()) {
            Card card = experiment.card();
            assertThat(card.question()).as(card.id() + " question").endsWith("?");
            assertThat(card.rule()).as(card.id() + " rule").endsWith(".");
            assertThat(card.explanation()).as(card.id() + " explanation").contains("\n\n");
            assertThat(card.plots()).as(card.id() + " plots").isNotEmpty();
        }
    }

    @Test
    void everyExperimentOfTheArticlesIsThere() {
        List<String> ids = Catalog.all().stream().map(e -> e.card().id()).toList();
        assertThat(ids)
                .doesNotHaveDuplicates()
                .contains(IntStream.rangeClosed(1, 32).mapToObj(i -> "B" + i).toArray(String[]::new));
    }
}
