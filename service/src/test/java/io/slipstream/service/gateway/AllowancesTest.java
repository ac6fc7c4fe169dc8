package io.slipstream.service.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.security.ClientLimits;
import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AllowancesTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final ClientLimits ONE_A_SECOND = new ClientLimits(1, Long.MAX_VALUE, 10);
    private static final ClientLimits MANY_A_SECOND = new ClientLimits(1_000_000, Long.MAX_VALUE, 10);

    private final Allowances allowances = new Allowances();

    @Test
    void appliesNewLimitsToAPrincipalThatIsKnown() {
        Allowance former = allowances.enter("alice", ONE_A_SECOND, 0);
        assertThat(takes(former, 10)).isLessThan(10);
        Allowance present = allowances.enter("alice", MANY_A_SECOND, 0);
        assertThat(takes(present, 10)).isEqualTo(10);
        assertThat(takes(former, 10)).isEqualTo(10);
    }

    @Test
    void givesNoNewBurstToOneThatComesAgainWithTheSameLimits() {
        Allowance former = allowances.enter("alice", ONE_A_SECOND, 0);
        takes(former, 10);
        former.leave();
        assertThat(takes(allowances.enter("alice", ONE_A_SECOND, 0), 10)).isZero();
    }

    @Test
    void forgetsThoseWhoHaveGoneAndPaid() {
        Allowance connected = allowances.enter("connected", ONE_A_SECOND, 0);
        Allowance inDebt = allowances.enter("in debt", ONE_A_SECOND, 0);
        for (int i = 1; i <= 10_000; i++) {
            long now = i * SECOND_NANOS;
            Allowance passing = allowances.enter("principal " + i, ONE_A_SECOND, now);
            passing.take(now, 1);
            passing.leave();
            inDebt.take(now, 1);
        }
        inDebt.leave();
        assertThat(allowances.size()).isLessThan(200);
        assertThat(allowances.enter("connected", ONE_A_SECOND, 10_000 * SECOND_NANOS))
                .isSameAs(connected);
        assertThat(allowances.enter("in debt", ONE_A_SECOND, 10_000 * SECOND_NANOS))
                .isSameAs(inDebt);
    }

    /** A principal may have connections at several gateways. */
    @Test
    void allowsNoMoreToConnectionsOfSeveralThreadsThanToOne() throws Exception {
        ClientLimits limits = new ClientLimits(1_000, 1_000_000_000, 10);
        Allowance shared = allowances.enter("alice", limits, 0);
        assertThat(allowances.enter("alice", limits, 0)).isSameAs(shared);
        AtomicInteger taken = new AtomicInteger();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(Await.inBackground("takes", () -> taken.addAndGet(takes(shared, 5_000))));
        }
        for (CompletableFuture<Void> thread : threads) {
            Await.done(thread);
        }
        assertThat(taken.get()).isEqualTo(1_001);
    }

    private static int takes(Allowance allowance, int requests) {
        int taken = 0;
        for (int i = 0; i < requests; i++) {
            taken += allowance.take(0, 1) ? 1 : 0;
        }
        return taken;
    }
}
