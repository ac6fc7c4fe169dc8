package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import io.slipstream.core.thread.Worker;
import io.slipstream.core.thread.WorkerCounters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorCountersTest {
    @Test
    void showsAnExecutorAndAWorkerToOtherProcesses(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("counters");
        CountDownLatch worked = new CountDownLatch(3);
        try (Counters counters = Counters.create(file, 64);
                LockFreeExecutor executor =
                        LockFreeExecutor.builder().capacity(16).build();
                Worker worker = Worker.builder("w", List.of(() -> {
                            worked.countDown();
                            return worked.getCount() > 0 ? 1 : 0;
                        }))
                        .build()
                        .start()) {
            ExecutorCounters ofExecutor = new ExecutorCounters(executor, counters, "orders", Duration.ofNanos(1));
            WorkerCounters ofWorker = new WorkerCounters(worker, counters, "gateway", Duration.ofNanos(1));
            executor.submit(() -> {}).get();
            executor.submit(() -> {}).get();
            worked.await();
            assertThat(ofExecutor.work()).isEqualTo(1);
            assertThat(ofWorker.work()).isEqualTo(1);
            try (CountersReader reader = CountersReader.open(file)) {
                assertThat(reader.read())
                        .anySatisfy(value -> {
                            assertThat(value.owner()).isEqualTo("orders");
                            assertThat(value.label()).isEqualTo("capacity");
                            assertThat(value.value()).isEqualTo(16);
                        })
                        .anySatisfy(value -> {
                            assertThat(value.label()).isEqualTo("completed");
                            assertThat(value.value()).isPositive();
                        })
                        .anySatisfy(value -> {
                            assertThat(value.owner()).isEqualTo("gateway");
                            assertThat(value.label()).isEqualTo("longest stall");
                        });
            }
        }
    }
}
