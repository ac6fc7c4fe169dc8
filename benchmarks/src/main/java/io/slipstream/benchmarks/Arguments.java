package io.slipstream.benchmarks;

import io.slipstream.benchmarks.suite.Comparison;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The command line of {@link Benchmarks}. */
record Arguments(
        String suite, boolean quick, String only, @Nullable Path json) {
    static Arguments parse(String[] args) {
        String suite = null;
        boolean quick = false;
        String only = "";
        Path json = null;
        for (int i = 0; i < args.length; i++) {
            String arg = args[i];
            if (arg.equals("--quick")) {
                quick = true;
            } else if (arg.equals("--json")) {
                json = Path.of(value(args, ++i, "the name of a file"));
            } else if (arg.equals("--only")) {
                only = value(args, ++i, "a part of a comparison's name");
            } else if (arg.startsWith("-")) {
                throw new UsageException("there is no option " + arg);
            } else if (suite != null) {
                throw new UsageException("one suite at a time, but there are two: " + suite + " and " + arg);
            } else {
                suite = arg;
            }
        }
        if (suite == null) {
            throw new UsageException("name a suite; there are: " + Suites.names());
        }
        return new Arguments(suite, quick, only, json);
    }

    private static String value(String[] args, int index, String what) {
        if (index == args.length) {
            throw new UsageException(args[index - 1] + " needs " + what);
        }
        return args[index];
    }

    boolean wants(Comparison comparison) {
        return comparison.name().contains(only) || comparison.peerName().contains(only);
    }
}
