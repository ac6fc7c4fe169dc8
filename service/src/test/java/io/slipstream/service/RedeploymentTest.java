package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Redeployment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends before its process does. */
class RedeploymentTest {
    @TempDir
    private Path folder;

    @Test
    void aServiceThatWasClosedKeepsNoClassLoader() throws Exception {
        Redeployment.leavesNothing(Redeployed.class, folder);
    }

    @Test
    void aServiceThatIsOpenKeepsIts() throws Exception {
        assertThat(Redeployment.leftOpen(Redeployed.class, folder)).endsWith("ProgramLoader");
    }
}
