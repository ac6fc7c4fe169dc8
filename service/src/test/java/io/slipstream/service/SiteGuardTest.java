package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.service.host.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteGuardTest {
    private static final byte[] FENCED = """
        #What this folder is in a pair of sites
        journal=
        refusal=the backup site was promoted
        role=fenced
        sequence=12
        term=2
        """.getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    void aFencedFolderIsNotServed() throws IOException {
        refuses(FENCED, "the backup site was promoted");
    }

    @Test
    void aPromotedOneIs() throws IOException {
        Files.writeString(folder.resolve("site.properties"), "journal=\nrefusal=\nrole=promoted\nsequence=1\nterm=2\n");
        assertThatCode(() -> SiteGuard.requireServableAlone(Host.system(), folder))
                .doesNotThrowAnyException();
    }

    @Test
    void norIsOneWhoseFileWasCutOff() throws IOException {
        for (int length = 0; length < FENCED.length; length++) {
            refuses(Arrays.copyOf(FENCED, length), "site.properties is damaged");
        }
    }

    @Test
    void norIsOneWhoseFileHasLostBytes() throws IOException {
        for (int from = 0; from < FENCED.length; from += 8) {
            byte[] zeroed = FENCED.clone();
            Arrays.fill(zeroed, from, Math.min(FENCED.length, from + 64), (byte) 0);
            refuses(zeroed, "site.properties is damaged");
        }
    }

    private void refuses(byte[] content, String why) throws IOException {
        Files.write(folder.resolve("site.properties"), content);
        assertThatThrownBy(() -> SiteGuard.requireServableAlone(Host.system(), folder))
                .as(new String(content, StandardCharsets.UTF_8))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }
}
