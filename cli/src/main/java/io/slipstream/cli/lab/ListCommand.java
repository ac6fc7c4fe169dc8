package io.slipstream.cli.lab;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Form;
import io.slipstream.lab.Group;
import io.slipstream.lab.experiment.Catalog;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the experiments by group. */
@Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the experiments.")
final class ListCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    ListCommand() {}

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (Group group : Group.values()) {
            out.printf(Locale.ROOT, "%n%s (%s)%n", group.title(), group.id());
            for (Experiment experiment : Catalog.all()) {
                Card card = experiment.card();
                if (card.group() == group) {
                    out.printf(
                            Locale.ROOT,
                            "  %-4s %-36s quick %4s, full %6s%n",
                            card.id(),
                            card.title(),
                            Figure.duration(card.takes(Form.QUICK).toSeconds()),
                            Figure.duration(card.takes(Form.FULL).toSeconds()));
                }
            }
        }
        out.printf(
                Locale.ROOT,
                "%nThe times of full forms are estimates.%n%nslipstream lab run B3, lab run memory, lab run all "
                        + "--quick%n");
        out.flush();
    }
}
