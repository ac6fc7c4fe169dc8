package io.slipstream.replica.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.service.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
            Site.reserve(Host.system(), folder);
            site.write(Host.system(), folder);
            assertThat(Site.read(Host.system(), folder)).isEqualTo(site);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void isRefusedWhenItsEndIsCutOff() throws Exception {
        Site.primary(12, "backup:1").fenced(13, 4711).write(Host.system(), folder);
        Path file = folder.resolve("site.properties");
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> Site.read(Host.system(), folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("site.properties is damaged");
        }
    }
}
