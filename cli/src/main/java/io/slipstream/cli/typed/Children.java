package io.slipstream.cli.typed;

import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.Tally;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Generates the load in processes of their own, each with its part of the rate, and adds up what they tell. */
final class Children implements Runner {
    private final List<Child> children = new ArrayList<>();
    private @Nullable String lastFailure;

    /** Starts a process with each of the {@code commands}. */
    Children(List<List<String>> commands) throws IOException {
        try {
            for (List<String> command : commands) {
                children.add(new Child(new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start()));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public Measured run(double rate, Duration time, Load.Reporter each) throws IOException {
        long begun = System.currentTimeMillis();
        for (Child child : children) {
            child.begin(rate / children.size(), time);
        }
        List<Measured.Interval> intervals = new ArrayList<>();
        List<Wire.Line> ends = new ArrayList<>();
        while (ends.size() < children.size()) {
            List<Wire.Line> second = new ArrayList<>();
            for (Child child : children) {
                Wire.Line line = child.next();
                if (line != null) {
                    (line.what().equals(Wire.END) ? ends : second).add(line);
                }
            }
            if (!second.isEmpty()) {
                Measured.Interval interval =
                        new Measured.Interval(second.getFirst().seconds(), tally(second), latencies(second));
                intervals.add(interval);
                each.report(interval.seconds(), interval.tally(), interval.latencies());
            }
        }
        double seconds = ends.stream().mapToDouble(Wire.Line::seconds).max().orElse(0);
        return new Measured(
                rate,
                begun,
                seconds,
                intervals,
                tally(ends),
                latencies(ends),
                ends.stream().mapToLong(Wire.Line::late).sum(),
                ends.stream().mapToLong(Wire.Line::outstanding).sum());
    }

    private static Tally tally(List<Wire.Line> lines) {
        return lines.stream().map(Wire.Line::tally).reduce(new Tally(0, 0, 0, 0, 0), Tally::plus);
    }

    private static Histogram latencies(List<Wire.Line> lines) {
        Histogram sum = new Histogram(3);
        lines.forEach(line -> sum.add(line.latencies()));
        return sum;
    }

    @Override
    public @Nullable String lastFailure() {
        return lastFailure;
    }

    @Override
    public void stop() {
        children.forEach(child -> child.process.destroy());
    }

    @Override
    public void close() {
        children.forEach(Child::close);
    }

    private final class Child {
        private final Process process;
        private final BufferedReader out;
        private final Writer in;
        private boolean ended = true;

        Child(Process process) {
            this.process = process;
            this.out = process.inputReader();
            this.in = process.outputWriter();
        }

        void begin(double rate, Duration time) throws IOException {
            in.write(rate + " " + time.toNanos() + "\n");
            in.flush();
            ended = false;
        }

        /** Returns the next that it tells of the present step, or null if it has told all. */
        Wire.@Nullable Line next() throws IOException {
            while (!ended) {
                String line = out.readLine();
                if (line == null) {
                    throw new IOException("a process of the load has ended before the load");
                }
                if (line.startsWith(Wire.FAILURE)) {
                    lastFailure = line.substring(Wire.FAILURE.length());
                } else {
                    Wire.Line read = Wire.read(line);
                    ended = read.what().equals(Wire.END);
                    return read;
                }
            }
            return null;
        }

        /** It ends when its input does. */
        void close() {
            try {
                in.close();
            } catch (IOException e) {
                process.destroy();
            }
        }
    }
}
