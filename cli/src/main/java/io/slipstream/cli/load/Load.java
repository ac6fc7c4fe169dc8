package io.slipstream.cli.load;

import io.slipstream.core.thread.Patience;
import io.slipstream.service.client.ServiceException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * An open-loop load: commands are due at fixed times, whether or not the former ones were answered, and latency counts
 * from the time at which a command was due. So a service that stalls is charged for all that would have come meanwhile.
 */
public final class Load<S extends Load.Source> implements AutoCloseable {
    /** A window for a load that wants to keep its rate whatever the service does. */
    public static final int LARGE_WINDOW = 1 << 19;

    /** How long a source may take to connect. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private static final long PARK_NANOS = 250_000;
    private static final long REPORT_NANOS = 1_000_000_000;

    private static final double MOST_BEHIND_SECONDS = 0.001;

    private final List<S> sources = new ArrayList<>();
    private int turn;

    /**
     * Connects that many sources.
     *
     * @param source connects the one of that number, from 1 on
     */
    public Load(int connections, Connecting<S> source) throws IOException {
        try {
            for (int number = 1; number <= connections; number++) {
                sources.add(source.connect(number));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Connects a source. */
    @FunctionalInterface
    public interface Connecting<S> {
        /** Connects the one of that number. */
        S connect(int number) throws IOException;
    }

    /** One connection of a load; the thread that generates the load calls it. */
    public interface Source extends AutoCloseable {
        /** Offers one command that should have been sent at {@code dueNanos}; returns whether there was room. */
        boolean offer(long dueNanos);

        /** Returns what is counted so far. */
        Tally tally();

        /** Returns the latencies since the last call, in nanoseconds. */
        Histogram takeLatencies();

        /** Returns what a command has failed with, or null. */
        @Nullable
        ServiceException lastFailure();

        @Override
        void close();
    }

    /** Receives a report about each second. */
    @FunctionalInterface
    public interface Reporter {
        /**
         * Reports an interval.
         *
         * @param seconds   since the load began
         * @param interval  what has happened in the interval
         * @param latencies of the answered commands in it, in nanoseconds
         */
        void report(double seconds, Tally interval, Histogram latencies);
    }

    /** Returns the connections. */
    public List<S> sources() {
        return sources;
    }

    /**
     * Offers {@code rate} commands a second for {@code duration}, or until {@code goOn} says no.
     *
     * @param skipMissed whether what could not be sent in time is left out, so that the rate is at most the wanted one;
     *                   otherwise it is sent late and its latency counts from when it was due
     * @return the whole of the load
     */
    public Result run(double rate, Duration duration, boolean skipMissed, BooleanSupplier goOn, Reporter reporter) {
        Schedule schedule = new Schedule(System.nanoTime(), Patience.nanos(duration), 1e9 / rate);
        Meter meter = new Meter(schedule.startNanos(), reporter);
        long mostBehind = Math.max(1, (long) (MOST_BEHIND_SECONDS * rate));
        long sent = 0;
        boolean over = false;
        while (!over && goOn.getAsBoolean()) {
            long now = System.nanoTime();
            over = schedule.isOver(now);
            long due = schedule.due(now);
            if (skipMissed) {
                sent = Math.max(sent, due - mostBehind);
            }
            while (sent < due && offer(schedule.time(sent))) {
                sent++;
            }
            meter.tick(now);
            if (sent >= due) {
                LockSupport.parkNanos(PARK_NANOS);
            } else {
                Thread.yield();
            }
        }
        return meter.finish(System.nanoTime());
    }

    /** Lets the next source offer; returns whether it had room. */
    private boolean offer(long dueNanos) {
        turn = turn + 1 >= sources.size() ? 0 : turn + 1;
        return sources.get(turn).offer(dueNanos);
    }

    /** Waits until every command has its answer; returns how many have none in time. */
    public long awaitAnswers(Duration limit) {
        long deadline = System.nanoTime() + Patience.nanos(limit);
        long outstanding;
        while ((outstanding = Tally.of(sources).outstanding()) > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        return outstanding;
    }

    /** Returns the latencies since they were last taken or reported, of all connections together. */
    public Histogram takeLatencies() {
        Histogram sum = new Histogram(3);
        for (S source : sources) {
            sum.add(source.takeLatencies());
        }
        return sum;
    }

    /** Returns why a command has failed, or null. */
    public @Nullable String lastFailure() {
        return sources.stream()
                .map(Source::lastFailure)
                .filter(failure -> failure != null)
                .map(failure -> String.valueOf(failure.getMessage()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        sources.forEach(Source::close);
    }

    /**
     * What a load has come to.
     *
     * @param seconds   that it took
     * @param tally     what has become of its commands so far
     * @param latencies of the answered ones, in nanoseconds
     */
    public record Result(double seconds, Tally tally, Histogram latencies) {
        /** Returns how many commands were offered in a second. */
        public double offeredPerSecond() {
            return tally.offered() / seconds;
        }

        /** Returns how many commands were applied in a second. */
        public double answeredPerSecond() {
            return tally.answered() / seconds;
        }
    }

    /** Cuts the run into intervals. */
    private final class Meter {
        private final long start;
        private final Reporter reporter;
        private final Tally first = Tally.of(sources);
        private final Histogram all = new Histogram(3);
        private Tally last = first;
        private long next;

        Meter(long start, Reporter reporter) {
            this.start = start;
            this.reporter = reporter;
            this.next = start + REPORT_NANOS;
            takeLatencies();
        }

        void tick(long now) {
            if (now - next >= 0) {
                next += REPORT_NANOS;
                interval(now);
            }
        }

        Result finish(long now) {
            if (now - (next - REPORT_NANOS) > REPORT_NANOS / 4) {
                interval(now);
            } else {
                last = Tally.of(sources);
                all.add(takeLatencies());
            }
            return new Result((now - start) / 1e9, last.since(first), all);
        }

        private void interval(long now) {
            Tally tally = Tally.of(sources);
            Histogram latencies = takeLatencies();
            all.add(latencies);
            reporter.report((now - start) / 1e9, tally.since(last), latencies);
            last = tally;
        }
    }
}
