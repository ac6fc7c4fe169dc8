package io.slipstream.benchmarks;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Runs a suite and prints one line for each comparison. */
public final class Benchmarks {
    private static final String USAGE = """
        usage: benchmarks/run SUITE [--quick] [--only TEXT] [--json FILE]

          SUITE        One of: %s.
          --quick      Fewer rounds in one JVM; some minutes.
          --only TEXT  Only the comparisons with TEXT in their name or their peer's.
          --json FILE  Also writes the results, with the figures of all rounds, to FILE.
          -h, --help   Shows this.

        The lines above the table say which machine and JDK it is, and on which file system and device suites write.
        ours, peer = medians. MB/s = what they come to in payload written, ours / peer's.
        ratio = median of ours / peer, round by
        round. Spread = (greatest - least) / median over all rounds, ours / peer's.
        CPU trip = least and greatest time from one thread to another and back, both spinning,
        measured before each round: where threads meet, a machine on which it changes changes every figure.
        Exit code: 0, 1 if something failed, 2 if the command line is wrong. A missed target is no failure.\
        """;

    private Benchmarks() {}

    /** Runs as the usage text says. */
    public static void main(String[] args) throws InterruptedException {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println(String.format(Locale.ROOT, USAGE, Suites.names()));
            return;
        }
        try {
            run(Arguments.parse(args));
        } catch (UsageException e) {
            System.err.println("benchmarks/run: " + e.getMessage());
            System.err.println(String.format(Locale.ROOT, USAGE, Suites.names()));
            System.exit(2);
        } catch (IOException e) {
            System.err.println("benchmarks/run: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void run(Arguments arguments) throws IOException, InterruptedException {
        Suite suite = Suites.named(arguments.suite());
        List<Result> results = new ArrayList<>();
        List<Comparison> comparisons = suite.comparisons(arguments.quick());
        if (comparisons.stream().noneMatch(arguments::wants)) {
            throw new UsageException("no comparison of suite " + suite.name() + " has '" + arguments.only()
                    + "' in its name or its peer's; there are: "
                    + comparisons.stream()
                            .map(comparison -> comparison.name() + " (" + comparison.peerName() + ")")
                            .collect(Collectors.joining("; ")));
        }
        Path json = arguments.json();
        // Now rather than after all rounds.
        if (json != null
                && (Files.isDirectory(json)
                        || !Files.isWritable(json.toAbsolutePath().resolveSibling(".")))) {
            throw new UsageException("--json must be a file that can be written, not " + json);
        }
        Place place = Place.here();
        System.out.println(place.heading());
        System.out.println(Table.header());
        for (int number = 0; number < comparisons.size(); number++) {
            if (!arguments.wants(comparisons.get(number))) {
                continue;
            }
            Result result = new ForkedComparison(suite, number, arguments.quick()).run();
            results.add(result);
            System.out.println(Table.line(result));
        }
        if (arguments.json() != null) {
            JsonReport.write(arguments.json(), results, place);
        }
    }
}
