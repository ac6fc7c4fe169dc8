package io.slipstream.replica.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFileTest {
    @TempDir
    Path folder;

    @Test
    void isWrittenByAnInterruptedThread() throws Exception {
        Site site = Site.primary(7, "backup:1");
        Thread.currentThread().interrupt();
        try {
            Site.reserve(folder);
            site.write(folder);
            assertThat(Site.read(folder)).isEqualTo(site);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }
}
