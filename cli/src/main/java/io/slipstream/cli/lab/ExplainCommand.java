package io.slipstream.cli.lab;

import io.slipstream.cli.console.Usage;
import io.slipstream.lab.Card;
import io.slipstream.lab.experiment.Catalog;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what an experiment asks, what was reported, and what it means. */
@Command(name = "explain", mixinStandardHelpOptions = true, description = "Explains an experiment.")
final class ExplainCommand implements Runnable {
    private static final int WIDTH = 88;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "ID", description = "Such as B3; 'slipstream lab list' shows them all.")
    private String id;

    @SuppressWarnings("NullAway.Init")
    ExplainCommand() {}

    @Override
    public void run() {
        Card card = Usage.valid(spec, () -> Catalog.get(id)).card();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "%s  %s%n%n%s%n", card.id(), card.title(), wrapped(card.question()));
        if (!card.reported().isEmpty()) {
            out.printf(Locale.ROOT, "Reported:%n");
            for (Card.Reported figure : card.reported()) {
                out.printf(Locale.ROOT, "  %s: %s (%s)%n", figure.what(), figure.figure(), figure.machine());
            }
            out.println();
        }
        for (String paragraph : card.explanation().split("\n\\s*\n", -1)) {
            out.println(wrapped(paragraph));
        }
        out.println(wrapped("Rule: " + card.rule()));
        out.flush();
    }

    private static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : text.strip().split("\\s+", -1)) {
            if (column > 0 && column + 1 + word.length() > WIDTH) {
                lines.append('\n');
                column = 0;
            }
            lines.append(column == 0 ? "" : " ").append(word);
            column += word.length() + (column == 0 ? 0 : 1);
        }
        return lines.append('\n').toString();
    }
}
