package io.slipstream.log.spring;

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
    void anApplicationThatWasClosedKeepsNoClassLoader() throws Exception {
        Redeployment.leavesNothing(Redeployed.class, folder);
        assertThat(Files.readString(folder.resolve("app.log"))).contains("by SLF4J", "by the JDK");
    }

    @Test
    void anApplicationThatIsOpenKeepsIts() throws Exception {
        assertThat(Redeployment.leftOpen(Redeployed.class, folder)).endsWith("ProgramLoader");
    }
}
