package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Redeployment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends before its process does. */
class RedeploymentTest {
    @TempDir
    private Path folder;

    @Test
    void aLogThatWasClosedKeepsNoClassLoader() throws Exception {
        Redeployment.leavesNothing(Redeployed.class, folder);
        assertThat(Files.readAllLines(folder.resolve("app.log"))).anyMatch(line -> line.endsWith("made up 9"));
    }

    @Test
    void aLogThatIsOpenKeepsIts() throws Exception {
        assertThat(Redeployment.leftOpen(Redeployed.class, folder)).endsWith("ProgramLoader");
    }
}
