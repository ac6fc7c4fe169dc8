package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plan;
import io.slipstream.lab.experiment.Catalog;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the tiny form of every workload in this JVM, one after the other: {@code TinyForms DIRECTORY}. Prints what
 * failed, and how many there were.
 */
public final class TinyForms {
    private TinyForms() {}

    public static void main(String[] args) throws Exception {
        int ran = 0;
        int failed = 0;
        for (Experiment experiment : Catalog.all()) {
            Path directory =
                    Files.createDirectories(Path.of(args[0], experiment.card().id()));
            Plan plan = new Plan(Form.TINY, 2, directory, directory);
            experiment.plan(plan);
            for (Case planned : plan.cases()) {
                if (planned.source() != null
                        && planned.skipReason() == null
                        && planned.fits(Runtime.version().feature())) {
                    ran++;
                    try {
                        CaseRunner.run(planned, Form.TINY, directory, event -> {});
                    } catch (Throwable e) {
                        failed++;
                        System.out.println(experiment.card().id() + " " + planned.name() + ": " + e);
                    }
                }
            }
        }
        System.out.println(ran + " ran, " + failed + " failed");
        Runtime.getRuntime().halt(0);
    }
}
