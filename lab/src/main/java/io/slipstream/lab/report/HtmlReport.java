package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.plot.Xml;
import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** One HTML page that needs nothing else: summary, advice, machine sheet, one section for each experiment. */
public final class HtmlReport {
    private HtmlReport() {}

    public static void write(RunResult run, Path file) throws IOException {
        Files.writeString(file, page(run));
    }

    /** Writes it without what is of interest on this machine alone: the directories that were chosen. */
    public static void publish(RunResult run, Path file) throws IOException {
        Files.writeString(
                file, page(run.with(List.of()).describedBy(run.machine().withoutDirectories())));
    }

    static String page(RunResult run) {
        List<Judged> judged = Judged.all(run);
        Html page = new Html();
        List<Advice> advice = Advice.from(run);
        begin(page, "Slipstream lab: " + run.machine().cpu());
        header(page, run);
        InShort.add(page, run, advice);
        Summary.add(page, judged);
        AdviceSection.add(page, advice, run);
        MachineSection.add(page, run.machine());
        for (Judged one : judged) {
            ExperimentSection.add(page, one, run);
        }
        page.raw("</main>\n<footer>\n");
        page.element(
                "p",
                "Measured " + run.startedAt() + " in " + Figure.duration(run.seconds())
                        + ". Every figure is a median of all rounds of all "
                        + "forks; whiskers reach from the least to the greatest round, ticks mark the middle half.");
        page.raw("</footer>\n</body>\n</html>\n");
        return page.toString();
    }

    /** The beginning of a page, up to its content. */
    static void begin(Html page, String title) {
        page.raw("""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            """);
        page.element("title", title);
        page.raw("<style>\n" + style() + "</style>\n</head>\n<body>\n<main>\n");
    }

    private static void header(Html page, RunResult run) {
        page.raw("<header>\n");
        page.element("p class=\"brand\"", "Slipstream lab");
        page.element("h1", run.machine().cpu());
        page.raw("<p class=\"sub\">")
                .raw(Xml.escape(run.machine().cpus()
                        + (run.machine().cpus() == 1 ? " processor, " : " processors, ")
                        + Figure.bytes(run.machine().memoryBytes()) + " of memory, Linux "
                        + run.machine().kernel() + "; "
                        + String.join(", ", run.machine().jvms()) + "; "
                        + run.form().name().toLowerCase(Locale.ROOT) + " form, "))
                .element("span class=\"whole\"", run.startedAt().substring(0, 10))
                .raw("</p>\n");
        String cut = run.cutShort();
        if (cut != null) {
            page.element(
                    "p class=\"warn\"",
                    "This report is partial: " + cut + ". What was measured until then is complete.");
        }
        page.raw("</header>\n");
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            return new String(
                    Objects.requireNonNull(in, "report.css is not part of this jar")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("report.css cannot be read", e);
        }
    }
}
