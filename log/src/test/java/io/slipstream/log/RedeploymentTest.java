package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends before its process does. */
class RedeploymentTest {
    @TempDir
    private Path folder;

    /** Soft references, which the JDK has to classes, are no leak; the option ends them at once. */
    @Test
    void aLogThatWasClosedKeepsNoClassLoader() throws Exception {
        Process child = ChildJvm.of(Redeployments.class, List.of("-XX:SoftRefLRUPolicyMSPerMB=0"), folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        assertThat(said).isEqualTo("free\n");
        assertThat(Files.readAllLines(folder.resolve("app.log"))).anyMatch(line -> line.endsWith("made up 9"));
    }
}
