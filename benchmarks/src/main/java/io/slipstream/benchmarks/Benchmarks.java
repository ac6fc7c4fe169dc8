package io.slipstream.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs a suite and prints one line for each comparison. */
public final class Benchmarks {
    private static final String USAGE = """
            usage: benchmarks/run SUITE [--quick] [--json FILE]

              SUITE        one of: %s
              --quick      fewer rounds in one JVM; under two minutes
              --json FILE  also write the results, with the figures of all rounds, to FILE

            ratio = ours / peer, of medians. Spread = (greatest - least) / median over all rounds, ours / peer's.
            Exit code: 0, 1 if something failed, 2 if the command line is wrong. A missed target is no failure.""";

    private Benchmarks() {
    }

    /** Runs as the usage text says. */
    public static void main(String[] args) throws InterruptedException {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println(USAGE.formatted(Suites.names()));
            return;
        }
        try {
            run(Arguments.parse(args));
        } catch (UsageException e) {
            System.err.println("benchmarks/run: " + e.getMessage());
            System.err.println(USAGE.formatted(Suites.names()));
            System.exit(2);
        } catch (IOException e) {
            System.err.println("benchmarks/run: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void run(Arguments arguments) throws IOException, InterruptedException {
        Suite suite = Suites.named(arguments.suite());
        List<Result> results = new ArrayList<>();
        System.out.println(Table.header());
        for (int number = 0; number < suite.comparisons(arguments.quick()).size(); number++) {
            Result result = new ForkedComparison(suite, number, arguments.quick()).run();
            results.add(result);
            System.out.println(Table.line(result));
        }
        if (arguments.json() != null) {
            JsonReport.write(arguments.json(), results);
        }
    }
}
