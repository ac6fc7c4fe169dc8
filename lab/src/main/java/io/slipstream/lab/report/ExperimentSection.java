package io.slipstream.lab.report;

import io.slipstream.lab.Card;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Size;
import io.slipstream.lab.plot.Plots;
import io.slipstream.lab.plot.Sparkline;
import io.slipstream.lab.plot.Xml;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.RunResult;
import io.slipstream.lab.run.quiet.Calm;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One experiment: question, verdict, plots, reported beside measured, explanation, and how to repeat it. */
final class ExperimentSection {
    private ExperimentSection() {}

    static void add(Html page, Judged one, RunResult run) {
        Card card = one.experiment().card();
        page.raw("<section class=\"experiment\" id=\"" + one.anchor() + "\">\n<h2><span class=\"id\">"
                + Xml.escape(card.id()) + "</span> " + Xml.escape(card.title()) + "</h2>\n");
        page.element("p class=\"question\"", card.question());
        page.raw("<p><span class=\"verdict " + one.style() + "\">")
                .raw(Xml.escape(one.verdict().kind().words()))
                .raw("</span> ")
                .element("span", one.verdict().reason())
                .raw("</p>\n");
        disturbances(page, one);
        for (Plot plot : card.plots()) {
            String svg = Plots.draw(plot, one.findings(), run.machine());
            if (!svg.isEmpty()) {
                page.raw("<figure>\n" + svg + "</figure>\n");
            }
        }
        sizes(page, one);
        if (run.form() == Form.QUICK && !card.leftToFull().isEmpty()) {
            page.element("p class=\"note\"", "The quick form leaves out " + card.leftToFull() + "; --full has it.");
        }
        reported(page, one, card, run);
        page.paragraphs(card.explanation());
        page.element("p class=\"rule\"", "Rule: " + card.rule());
        how(page, one, run);
        page.raw("</section>\n");
    }

    private static void disturbances(Html page, Judged one) {
        disturbance(page, one, "and repeating did not help", result -> result.repeated() > 0);
        disturbance(page, one, "and the time for repeats was used up", result -> result.repeated() == 0);
        one.findings().warnings().forEach(warning -> page.element("p class=\"warn\"", "Mind that " + warning + "."));
        one.findings()
                .missing()
                .forEach((name, reason) -> page.element(
                        "p class=\"note\"", "Not measured: " + name.replaceFirst(" / $", "") + " (" + reason + ")."));
    }

    private static void disturbance(Html page, Judged one, String repeats, Predicate<CaseResult> which) {
        List<CaseResult> disturbed = one.result().cases().stream()
                .filter(c -> c.calm().isDisturbed())
                .filter(which)
                .toList();
        if (!disturbed.isEmpty()) {
            page.element(
                    "p class=\"warn\"",
                    "The machine was disturbed during "
                            + disturbed.stream()
                                    .map(CaseResult::series)
                                    .distinct()
                                    .collect(Collectors.joining(", "))
                            + ", " + repeats + ": "
                            + (disturbed.stream().anyMatch(c -> c.calm().stoodStill())
                                    ? "an idle thread was kept waiting for a large part of a round."
                                    : "others used more than a seventh of a processor."));
        }
    }

    private static void sizes(Html page, Judged one) {
        String words = Size.words(one.result().sizes());
        if (!words.isEmpty()) {
            page.element("p class=\"note\"", words);
        }
    }

    private static void reported(Html page, Judged one, Card card, RunResult run) {
        if (card.reported().isEmpty()) {
            return;
        }
        page.raw("<div class=\"scroll\"><table class=\"figures\">\n")
                .head(List.of("", "Reported then", "Measured here"));
        for (Card.Reported figure : card.reported()) {
            Sample sample = one.findings().find(figure.series(), figure.x(), figure.metric());
            String measured = sample == null
                    ? whyMissing(one, figure, run)
                    : Figure.show(sample.median()) + " " + figure.metric() + " ± "
                            + Figure.show(100 * sample.spread() / 2) + " %";
            page.row(List.of(figure.what(), figure.figure() + " (" + figure.machine() + ")", measured));
        }
        page.raw("</table></div>\n")
                .element("p class=\"note\"", "Medians of all rounds; ± is half the width of their middle half.");
    }

    private static String whyMissing(Judged one, Card.Reported figure, RunResult run) {
        if (one.experiment().card().isByThreads()
                && figure.x().matches("\\d+")
                && Integer.parseInt(figure.x()) > run.machine().usableCpus()) {
            return "needs " + figure.x() + " processors";
        }
        Map<String, String> missing = one.findings().missing();
        String why = missing.getOrDefault(
                figure.series() + " / " + figure.x(), missing.getOrDefault(figure.series() + " / ", ""));
        return why.isEmpty() ? "not measured in this form" : "not measured: " + why;
    }

    private static void how(Html page, Judged one, RunResult run) {
        page.raw("<pre><code>")
                .raw(Xml.escape("./slipstream lab run " + one.result().id() + " --"
                        + run.form().name().toLowerCase(Locale.ROOT)
                        + run.options().stream().map(o -> " " + quoted(o)).collect(Collectors.joining())))
                .raw("</code></pre>\n<details><summary>How it was measured</summary>\n<div class=\"scroll\"><table"
                        + " class=\"figures\">\n")
                .head(List.of(
                        "Case",
                        "JVM and flags",
                        "Rounds",
                        "Used by others",
                        "Processors apart",
                        "Idle thread late, p99 and worst",
                        "In the course of time"));
        double worst = one.result().cases().stream()
                .mapToDouble(c -> c.calm().hiccupMaxMicros())
                .max()
                .orElse(0);
        for (CaseResult result : one.result().cases()) {
            boolean known = result.calm().hiccupMaxMicros() > 0;
            page.row(
                    List.of(
                            result.series() + (result.x().isEmpty() ? "" : ", " + result.x()),
                            result.jvm() + (result.flags().isEmpty() ? "" : " " + String.join(" ", result.flags())),
                            result.rounds()
                                    + (result.repeated() > 0 ? " (" + result.repeated() + " forks repeated)" : ""),
                            known ? others(result.calm()) : "–",
                            distance(result),
                            known
                                    ? Figure.show(result.calm().hiccupP99Micros()) + " µs, "
                                            + Figure.show(result.calm().hiccupMaxMicros()) + " µs"
                                    : "–"),
                    known
                            ? Sparkline.draw(result.calm().trace().worstMicros(), 10, worst, "idle thread late, µs")
                            : "");
        }
        page.raw("</table></div>\n");
        CountsTable.add(page, one.result(), run.machine());
        page.raw("</details>\n");
    }

    /** As a shell takes it for one word. */
    private static String quoted(String word) {
        return word.matches("[\\w./:@%+=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static String others(Calm calm) {
        double percent = 100 * (calm.foreignCpus() + calm.stolenCpus());
        return Figure.show(Math.round(10 * percent) / 10.0) + " % of a processor";
    }

    /** Of its forks: the nearest and the farthest. */
    private static String distance(CaseResult result) {
        List<Double> values = result.samples().get(Findings.DISTANCE);
        if (values == null || values.isEmpty()) {
            return "–";
        }
        Sample sample = new Sample(values);
        String nearest = Figure.show(sample.min());
        return (sample.max() > 1.2 * sample.min() ? nearest + " to " + Figure.show(sample.max()) : nearest) + " ns";
    }
}
