package io.slipstream.lab.run;

import com.google.gson.Gson;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Unavailable;
import io.slipstream.lab.experiment.Catalog;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The main program of a forked JVM: {@code Fork ID CASE FORM CPUS DIRECTORY [MEMORY]}. Ends when its parent does. */
public final class Fork {
    private Fork() {}

    public static void main(String[] args) {
        endWithParent();
        PrintStream stdout =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        Gson gson = new Gson();
        try {
            Experiment experiment = Catalog.get(args[0]);
            Form form = Form.valueOf(args[2]);
            Plan plan = new Plan(form, Integer.parseInt(args[3]), Path.of(args[4]), args.length > 5 ? Path.of(args[5]) : null);
            experiment.plan(plan);
            Case chosen = plan.cases().stream()
                    .filter(c -> c.name().equals(args[1]))
                    .findFirst()
                    .orElseThrow();
            Consumer<Event> out = event -> stdout.println(Event.PREFIX + gson.toJson(event));
            if (chosen.benchmark() == null) {
                CaseRunner.run(chosen, form, plan.directory(), out);
            } else {
                BenchmarkRunner.run(chosen, form, plan.directory(), out);
                // JMH removes its files when a JVM ends of itself.
                System.exit(0);
            }
        } catch (Unavailable e) {
            stdout.println(Event.PREFIX + gson.toJson(Event.skip(String.valueOf(e.getMessage()))));
        } catch (Throwable e) {
            e.printStackTrace();
            stdout.println(Event.PREFIX + gson.toJson(Event.fault(e.toString())));
        }
        // Threads that an experiment left behind end here.
        Runtime.getRuntime().halt(0);
    }

    /**
     * The parent holds our standard input open; when it is gone, however it went, there is nobody left to measure for.
     */
    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            continue;
                        }
                    } catch (java.io.IOException e) {
                        // Gone as well.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
