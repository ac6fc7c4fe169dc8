package io.slipstream.service.pressure;

import io.slipstream.core.sequence.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one gateway has put into the input ring, and with it what waits there of all gateways of a service. Each counts
 * its own on its own thread, and reads the sum: no counter has two writers.
 *
 * <pre>
 *   gateway 1   accepted 41 ──┐
 *   gateway 2   accepted 17 ──┼── 70 - processed 66 = 4 wait
 *   gateway 3   accepted 12 ──┘
 * </pre>
 *
 * With several gateways each may count on room that another one takes at the same moment: a bound is exceeded by one
 * message for each further gateway at most. Nothing here allocates.
 */
public final class Inflow {
    private final Sequence processed;
    private final List<Inflow> others = new ArrayList<>();
    private final Sequence accepted = new Sequence();
    private final Workload work = new Workload();

    private Inflow(Sequence processed) {
        this.processed = processed;
    }

    /**
     * Creates one for each gateway.
     *
     * @param gateways  at least 1
     * @param processed how many messages are done, of all that {@link #accept} was called for
     */
    public static List<Inflow> of(int gateways, Sequence processed) {
        if (gateways < 1) {
            throw new IllegalArgumentException("a service has one gateway at least, not " + gateways);
        }
        List<Inflow> all =
                Stream.generate(() -> new Inflow(processed)).limit(gateways).toList();
        for (Inflow each : all) {
            each.others.addAll(all);
            each.others.remove(each);
        }
        return all;
    }

    /**
     * Counts a message, which is likely to take so long, before it is published in the input ring: what is done was
     * always counted before.
     */
    public void accept(long nanos) {
        accepted.setRelease(accepted.getPlain() + 1);
        work.add(total(), nanos);
    }

    /** Returns how many messages this gateway has accepted. */
    public Sequence accepted() {
        return accepted;
    }

    /** Returns how many messages are done, of all gateways. */
    public Sequence processed() {
        return processed;
    }

    /** Returns how many messages all gateways have accepted; any thread may ask. */
    public long total() {
        long sum = accepted.getAcquire();
        for (int i = 0; i < others.size(); i++) {
            sum += others.get(i).accepted.getAcquire();
        }
        return sum;
    }

    /** Returns how many messages of all gateways wait; any thread may ask. */
    public long pending() {
        // First, so that there are never fewer than none.
        long done = processed.getAcquire();
        return total() - done;
    }

    /** Takes note of what is done; once a round. */
    public void look() {
        work.done(processed.getAcquire());
    }

    /** Returns how long all that waits is likely to take in nanoseconds. */
    public long nanos() {
        long sum = work.nanos();
        if (!others.isEmpty()) {
            long done = processed.getAcquire();
            for (int i = 0; i < others.size(); i++) {
                sum += others.get(i).work.nanosSeen(done);
            }
        }
        return sum;
    }
}
