package io.slipstream.benchmarks;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The command line of {@link Benchmarks}. */
record Arguments(String suite, boolean quick, @Nullable Path json) {
    static Arguments parse(String[] args) {
        String suite = null;
        boolean quick = false;
        Path json = null;
        for (int i = 0; i < args.length; i++) {
            String arg = args[i];
            if (arg.equals("--quick")) {
                quick = true;
            } else if (arg.equals("--json")) {
                if (++i == args.length) {
                    throw new UsageException("--json needs the name of a file");
                }
                json = Path.of(args[i]);
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
        return new Arguments(suite, quick, json);
    }
}
