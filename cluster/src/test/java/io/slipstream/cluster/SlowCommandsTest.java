package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Command;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A member takes no more commands than are done in time, once it has measured how long they take. */
class SlowCommandsTest {
    private static final Duration RESPONSE = Duration.ofMillis(400);
    private static final long SLOW_NANOS = RESPONSE.toNanos() / 10;
    private static final int BURST = 200;

    /* Ten fit into the response time; some are done while others still come. */
    private static final int MOST = 20;

    @Test
    void acceptsNoMoreOfABurstThanItDoesInTime() throws Exception {
        try (Grid grid = Grid.of(
                        1,
                        Slow::new,
                        config -> config.withService(config.service().withMaxResponseTime(RESPONSE)));
                ServiceClient client = grid.client().connect()) {
            client.call(new byte[1]);
            client.call(new byte[1]);
            int accepted = accepted(client);
            assertThat(accepted).isBetween(1, MOST);
            assertThat(accepted(client)).isBetween(1, MOST);
        }
    }

    /** Sends a burst, and returns how many were not refused as busy. */
    private static int accepted(ServiceClient client) throws Exception {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            replies.add(client.send(new byte[1]));
        }
        int accepted = 0;
        for (CompletableFuture<Reply> reply : replies) {
            try {
                Await.done(reply);
                accepted++;
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(BusyException.class);
            }
        }
        return accepted;
    }

    /** Takes its time. */
    private static final class Slow implements StateMachine {
        private long applied;

        @Override
        public void onCommand(Command command, Output output) {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < SLOW_NANOS) {
                LockSupport.parkNanos(SLOW_NANOS);
            }
            applied++;
        }

        @Override
        public long stateHash() {
            return applied;
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(applied);
        }

        @Override
        public void load(StateInput input, int version) {
            applied = input.readLong();
        }
    }
}
