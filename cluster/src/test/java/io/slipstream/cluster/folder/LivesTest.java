package io.slipstream.cluster.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LivesTest {
    @TempDir
    Path folder;

    @Test
    void areCountedByAnInterruptedThread() throws Exception {
        Thread.currentThread().interrupt();
        try {
            assertThat(Lives.next(folder, 100)).isEqualTo(100);
            assertThat(Lives.next(folder, 50)).isEqualTo(101);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }
}
