package io.slipstream.jcstress.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The broken twin of the failed ring: raising the limit and failing do not exclude each other. */
@JCStressTest
@JCStressMeta(FailedRing.class)
@State
public class BrokenFailedRing {
    private volatile boolean failed;
    private volatile long limit;

    /** Claims, which raises the limit. */
    @Actor
    public void publisher() {
        if (!failed) {
            Thread.onSpinWait();
            limit = 4;
        }
    }

    /** Fails. */
    @Actor
    public void consumer() {
        failed = true;
        limit = Long.MIN_VALUE;
    }

    /** Claims again. */
    @Arbiter
    public void later(Z_Result result) {
        result.r1 = limit == Long.MIN_VALUE;
    }
}
