package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device of its own, in a namespace of its own, that is really full. */
class FullDiskTest {
    @TempDir
    private Path folder;

    private static Process inNamespace(String... command) throws IOException {
        List<String> all = new ArrayList<>(List.of("unshare", "-Urm"));
        all.addAll(List.of(command));
        return new ProcessBuilder(all).redirectErrorStream(true).start();
    }

    private static boolean canMount(Path folder) throws InterruptedException {
        try {
            return inNamespace("mount", "-t", "tmpfs", "none", folder.toString())
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void theProgramGoesOnTheLossIsToldAndTheLogGoesOnWhenThereIsRoom() throws Exception {
        assumeTrue(canMount(folder));
        Process child = inNamespace(
                "sh",
                "-c",
                "mount -t tmpfs -o size=8m none \"$0\" && exec \"$@\"",
                folder.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("jdk.module.path", "") + ":" + System.getProperty("java.class.path"),
                SmallDisk.class.getName(),
                folder.toString());
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        assertThat(said.lines())
                .containsExactly("lost some", "and told", "goes on", "lost some", "and told", "goes on");
    }

    @Test
    void theConsoleCountsWhatIsLostAndNothingOnceThereIsRoom() throws Exception {
        assumeTrue(canMount(folder));
        Process child = inNamespace(
                "sh",
                "-c",
                "mount -t tmpfs -o size=8m none \"$0\" && \"$@\" >\"$0/out\" && grep -c '^found ' \"$0/out\"",
                folder.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("jdk.module.path", "") + ":" + System.getProperty("java.class.path"),
                SmallConsole.class.getName(),
                folder.toString());
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        assertThat(said.lines()).containsExactly("lost no more", "50");
    }
}
