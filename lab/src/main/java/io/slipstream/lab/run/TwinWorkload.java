package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Round;
import io.slipstream.lab.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A twin in C++ as a workload of the JVM that watches it, so that it is warmed up, counted and ended as Java is. The
 * program runs a round for each line that it is sent, and answers with {@code metric<TAB>value} lines and an empty one;
 * a round whose own check fails ends it.
 */
final class TwinWorkload implements Workload {
    private static final String THREADS = "threads";

    private final Process process;
    private final Writer ask;
    private final BufferedReader answers;
    private int threads = 1;

    /**
     * Starts it.
     *
     * @param directory where its program is, or goes
     */
    TwinWorkload(Case.Twin twin, Path directory) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(CppProgram.compile(twin.source(), directory).toString(), processors()));
        command.addAll(twin.arguments());
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ask = process.outputWriter(StandardCharsets.US_ASCII);
        answers = process.inputReader(StandardCharsets.US_ASCII);
    }

    private static String processors() {
        return IntStream.range(0, Pinning.cpus())
                .mapToObj(member -> String.valueOf(Pinning.cpu(member)))
                .collect(Collectors.joining(","));
    }

    @Override
    public void run(Round round) throws IOException, InterruptedException {
        try {
            ask.write('\n');
            ask.flush();
        } catch (IOException e) {
            // It has ended; what it said is still there to be read.
        }
        String last = "it said nothing";
        for (String line = answers.readLine(); !"".equals(line); line = answers.readLine()) {
            if (line == null) {
                throw new IllegalStateException("the twin ended with " + process.waitFor() + ": " + last);
            }
            last = line;
            int tab = line.indexOf('\t');
            String metric = line.substring(0, Math.max(0, tab));
            if (metric.equals(THREADS)) {
                threads = Integer.parseInt(line.substring(tab + 1));
            } else if (tab > 0) {
                round.record(metric, Double.parseDouble(line.substring(tab + 1)));
            }
        }
    }

    /** The process that does the work. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    /** How many threads it ran in the last round. */
    int threads() {
        return threads;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
