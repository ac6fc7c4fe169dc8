package io.slipstream.core.affinity;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out for how long a thread that only spins is kept from running: by the scheduler, by interrupts, by the
 * hypervisor.
 *
 * <p>The thread reads the clock as fast as it can. Two readings lie some tens of nanoseconds apart, unless the thread
 * was away in between. The gaps are what every program on this CPU suffers, whatever it does.
 */
public final class JitterSampler {
    /** Shorter gaps than these are the time that reading the clock takes. */
    public static final long SHORTEST_THRESHOLD_NANOS = 100;

    private JitterSampler() {}

    /**
     * Spins on {@code cpu} for {@code duration}, on a thread of its own, which stops early if the caller is
     * interrupted.
     *
     * @param thresholdNanos shortest gap that counts, from {@link #SHORTEST_THRESHOLD_NANOS}
     * @throws IllegalArgumentException if no CPU can have this number, or the threshold or the duration is too short
     * @throws InterruptedException     if the calling thread was interrupted
     */
    public static JitterSample sample(int cpu, Duration duration, long thresholdNanos) throws InterruptedException {
        return sample(cpu, duration, thresholdNanos, () -> true);
    }

    /**
     * As {@link #sample(int, Duration, long)}, and ends early, with what was measured until then, when {@code goOn}
     * says no.
     *
     * @param goOn asked before each reading of the clock, by the thread that spins; what it throws ends the sample, and
     *             reaches the caller
     */
    public static JitterSample sample(int cpu, Duration duration, long thresholdNanos, BooleanSupplier goOn)
            throws InterruptedException {
        CpuSet cpus = CpuSet.of(cpu);
        long nanos = TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(duration, "duration"));
        if (thresholdNanos < SHORTEST_THRESHOLD_NANOS || nanos <= 0) {
            throw new IllegalArgumentException("a gap counts from " + SHORTEST_THRESHOLD_NANOS
                    + " ns on, and the duration is positive, not "
                    + thresholdNanos + " ns and " + duration);
        }
        FutureTask<JitterSample> sample = new FutureTask<>(() -> {
            boolean pinned = Affinity.pinCurrentThread(cpus);
            // The first, short run is for the compiler.
            JitterSample first = spin(cpu, pinned, Math.min(100_000_000, nanos), thresholdNanos, goOn);
            return goOn.getAsBoolean() ? spin(cpu, pinned, nanos, thresholdNanos, goOn) : first;
        });
        Thread sampler = Thread.ofPlatform().daemon().name("jitter-" + cpu).start(sample);
        try {
            return sample.get();
        } catch (InterruptedException e) {
            sampler.interrupt();
            throw e;
        } catch (ExecutionException e) {
            throw thrown(e.getCause());
        }
    }

    private static RuntimeException thrown(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception : new IllegalStateException(cause);
    }

    private static JitterSample spin(int cpu, boolean pinned, long nanos, long threshold, BooleanSupplier goOn) {
        long[] counts = new long[Long.SIZE];
        long gaps = 0;
        long away = 0;
        long longest = 0;
        long begin = System.nanoTime();
        long last = begin;
        while (last - begin < nanos && !Thread.currentThread().isInterrupted() && goOn.getAsBoolean()) {
            long now = System.nanoTime();
            long gap = now - last;
            last = now;
            if (gap >= threshold) {
                gaps++;
                away += gap;
                longest = Math.max(longest, gap);
                counts[JitterSample.bucket(gap)]++;
            }
        }
        return new JitterSample(cpu, pinned, last - begin, threshold, gaps, away, longest, counts);
    }
}
