package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.experiment.Catalog;
import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Two runs side by side on a page that needs nothing else: a table for each experiment, a column for each run. */
public final class ComparisonPage {
    private ComparisonPage() {}

    public static void write(RunResult a, RunResult b, Path file) throws IOException {
        Files.writeString(file, page(a, b));
    }

    static String page(RunResult a, RunResult b) {
        List<Comparison.Line> lines = Comparison.of(a, b);
        Html page = new Html();
        HtmlReport.begin(
                page,
                "Slipstream lab: " + a.machine().cpu() + " beside "
                        + b.machine().cpu());
        page.raw("<header>\n").element("p class=\"brand\"", "Slipstream lab").element("h1", "Two runs side by side");
        run(page, "A", a);
        run(page, "B", b);
        page.raw("</header>\n<section>\n");
        long different = lines.stream().filter(Comparison.Line::differs).count();
        page.element(
                "p class=\"question\"",
                lines.isEmpty()
                        ? "They have no figure in common."
                        : different + " of " + lines.size() + " figures differ.");
        page.element(
                "p class=\"note\"",
                "A figure differs where the medians of A's forks and those of B's lie apart by more than a fifth, and"
                        + " by more than those of A or of B among themselves. Where the machine was disturbed, a"
                        + " difference says nothing of what is compared.");
        if (a.form() != b.form()) {
            page.element("p class=\"warn\"", "They are of different forms, with different amounts of work.");
        }
        page.raw("</section>\n");
        for (String id :
                lines.stream().map(Comparison.Line::experiment).distinct().toList()) {
            section(
                    page,
                    id,
                    lines.stream().filter(line -> line.experiment().equals(id)).toList());
        }
        return page.raw("</main>\n</body>\n</html>\n").toString();
    }

    private static void run(Html page, String name, RunResult run) {
        page.element(
                "p class=\"sub\"",
                name + ": " + run.machine().cpu() + ", " + run.machine().cpus()
                        + (run.machine().cpus() == 1 ? " processor, " : " processors, ")
                        + String.join(", ", run.machine().jvms()) + "; "
                        + run.form().name().toLowerCase(Locale.ROOT) + " form, "
                        + run.startedAt()
                                .substring(0, Math.min(10, run.startedAt().length())));
    }

    private static void section(Html page, String id, List<Comparison.Line> lines) {
        String title = Catalog.all().stream()
                .map(experiment -> experiment.card())
                .filter(card -> card.id().equals(id))
                .map(card -> card.title())
                .findFirst()
                .orElse("");
        page.raw("<section>\n").element("h2", (id + " " + title).strip());
        page.raw("<div class=\"scroll\"><table class=\"figures\">\n").head(List.of("", "A", "B", "A / B", ""));
        for (Comparison.Line line : lines) {
            page.row(List.of(
                    line.name() + ", " + line.metric(),
                    Figure.show(line.a().median()),
                    Figure.show(line.b().median()),
                    Figure.show(line.a().median() / line.b().median()),
                    line.remark()));
        }
        page.raw("</table></div>\n</section>\n");
    }
}
