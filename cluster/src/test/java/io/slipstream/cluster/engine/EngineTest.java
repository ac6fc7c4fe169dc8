package io.slipstream.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.grid.FreePorts;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.host.Host;
import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
    @TempDir
    private Path folder;

    /** Aeron has unmapped its memory by then: one who reads it ends the process. */
    @Test
    void answersWhenAeronHasEndedItByItself() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        ClusterConfig config = ClusterConfig.of(FreePorts.members(1), 0, ServiceConfig.in(folder))
                .withTermBytes(1 << 18);
        try (Engine engine = new Engine(
                config, folder, new Nothing(), Host.system(), error -> {}, cause -> ended.incrementAndGet())) {
            Await.until("the member leads", engine::isLeader);
            try (Aeron aeron = Aeron.connect(engine.client())) {
                AtomicCounter toggle = ClusterControl.findControlToggle(aeron.countersReader(), 0);
                assertThat(toggle).isNotNull();
                assertThat(ClusterControl.ToggleState.ABORT.toggle(toggle)).isTrue();
                Await.until("Aeron has ended the engine", () -> ended.get() > 0);
                Await.until(
                        "its counters are gone",
                        () -> ClusterControl.findControlToggle(aeron.countersReader(), 0) == null);
            }
            for (int i = 0; i < 1_000; i++) {
                assertThat(engine.commitPosition()).isGreaterThanOrEqualTo(-1);
                assertThat(engine.snapshots()).isGreaterThanOrEqualTo(0);
                engine.isSettled();
                engine.takeSnapshot();
            }
        }
    }

    private static final class Nothing implements ClusteredService {
        @Override
        public void onStart(Cluster cluster, @Nullable Image snapshot) {}

        @Override
        public void onSessionOpen(ClientSession session, long timestamp) {}

        @Override
        public void onSessionClose(ClientSession session, long timestamp, CloseReason reason) {}

        @Override
        public void onSessionMessage(
                ClientSession session, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {}

        @Override
        public void onTimerEvent(long correlationId, long timestamp) {}

        @Override
        public void onTakeSnapshot(ExclusivePublication publication) {}

        @Override
        public void onRoleChange(Cluster.Role role) {}

        @Override
        public void onTerminate(Cluster cluster) {}
    }
}
