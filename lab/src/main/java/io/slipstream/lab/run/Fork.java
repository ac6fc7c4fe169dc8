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
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The main program of a forked JVM: {@code Fork FORM DIRECTORY ID CASE CPUS [MEMORY]} for a case of an experiment,
 * {@code Fork FORM DIRECTORY twin SOURCE ARGUMENT...} for a program in C++. Ends when its parent does.
 */
public final class Fork {
    static final String TWIN = "twin";

    private Fork() {}

    public static void main(String[] args) {
        endWithParent();
        PrintStream stdout =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        Gson gson = new Gson();
        try {
            Form form = Form.valueOf(args[0]);
            Path directory = Path.of(args[1]);
            Case chosen = args[2].equals(TWIN) ? twin(form, directory, args) : planned(form, directory, args);
            Consumer<Event> out = event -> stdout.println(Event.PREFIX + gson.toJson(event));
            if (chosen.benchmark() == null) {
                CaseRunner.run(chosen, form, directory, out);
            } else {
                BenchmarkRunner.run(chosen, form, directory, out);
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

    private static Case planned(Form form, Path directory, String[] args) {
        Plan plan = new Plan(form, Integer.parseInt(args[4]), directory, args.length > 5 ? Path.of(args[5]) : null);
        Experiment experiment = Catalog.get(args[2]);
        experiment.plan(plan);
        return plan.cases().stream()
                .filter(c -> c.name().equals(args[3]))
                .findFirst()
                .orElseThrow();
    }

    private static Case twin(Form form, Path directory, String[] args) {
        Object[] arguments = Arrays.copyOfRange(args, 4, args.length);
        return new Plan(form, 1, directory, null).addTwin(TWIN, "", args[3], arguments);
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
