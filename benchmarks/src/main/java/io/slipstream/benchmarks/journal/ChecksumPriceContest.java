package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import java.util.concurrent.Callable;

/** One thread appends; the peer is the same journal without its checksums. In millions of records a second. */
final class ChecksumPriceContest implements Contest {
    private final Callable<?> with;
    private final Callable<?> without;

    ChecksumPriceContest(int payloadBytes, int records, int batch) throws ReflectiveOperationException {
        this.with = new AppendRound(payloadBytes, records, batch);
        this.without = (Callable<?>) new WithoutChecksum()
                .loadClass(AppendRound.class.getName())
                .getConstructor(int.class, int.class, int.class)
                .newInstance(payloadBytes, records, batch);
    }

    @Override
    public double ours() throws Exception {
        return (Double) with.call();
    }

    @Override
    public double peer() throws Exception {
        return (Double) without.call();
    }
}
