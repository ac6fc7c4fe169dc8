package io.slipstream.lab.run.quiet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuTimesTest {
    private static final long SELF = 100;

    @TempDir
    private Path proc;

    @Test
    void countsItselfItsDescendantsAndNotTheKernelsThreads() throws IOException {
        total(1_000, 7);
        process(1, 0, "init", 400);
        process(2, 0, "kthreadd", 0);
        process(15, 2, "kworker/0:1 writeback", 300);
        process(SELF, 1, "java (the lab)", 50);
        process(101, SELF, "java", 20);
        process(102, 101, "ping_pong", 30);

        CpuTimes times = CpuTimes.read(proc, SELF);

        assertThat(times.all()).isEqualTo(700);
        assertThat(times.own()).isEqualTo(100);
        assertThat(times.stolen()).isEqualTo(7);
    }

    @Test
    void theFlushOfItsOwnPagesIsNobodyElses() throws IOException {
        total(1_000, 0);
        process(2, 0, "kthreadd", 0);
        process(15, 2, "kworker", 100);
        process(SELF, 1, "java", 50);
        CpuTimes start = CpuTimes.read(proc, SELF);
        total(1_300, 0);
        process(15, 2, "kworker", 300);
        process(SELF, 1, "java", 150);
        CpuTimes end = CpuTimes.read(proc, SELF);
        assertThat(end.foreignSince(start)).isZero();

        total(1_400, 0);
        assertThat(CpuTimes.read(proc, SELF).foreignSince(start)).isPositive();
    }

    @Test
    void whatThisProcessUsesIsNotThatOfOthers() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread busy = new Thread(() -> {
            while (!over.get()) {
                Thread.onSpinWait();
            }
        });
        CpuTimes start = CpuTimes.now();
        busy.start();
        double others = CpuTimes.ofOthers();
        CpuTimes end = CpuTimes.now();
        over.set(true);
        busy.join();
        assertThat(end.own()).isGreaterThan(start.own());
        assertThat(others).isBetween(0.0, Runtime.getRuntime().availableProcessors() * 1.1);
    }

    @Test
    void whereNothingIsToldNothingIsKnown() {
        assertThat(CpuTimes.read(proc, SELF).all()).isZero();
    }

    private void total(long busy, long stolen) throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  " + busy + " 0 0 9999 0 0 0 " + stolen + " 0 0\n");
    }

    private void process(long pid, long parent, String name, long ticks) throws IOException {
        Path directory = Files.createDirectories(proc.resolve(String.valueOf(pid)));
        Files.writeString(
                directory.resolve("stat"),
                pid + " (" + name + ") S " + parent + " 1 1 0 -1 0 0 0 0 0 " + ticks + " 0 0 0 20 0 1 0 24 0\n");
    }
}
