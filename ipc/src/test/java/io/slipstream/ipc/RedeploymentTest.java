package io.slipstream.ipc;

import io.slipstream.testkit.Redeployment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends before its process does. */
class RedeploymentTest {
    @TempDir
    private Path folder;

    @Test
    void aChannelThatWasClosedKeepsNoClassLoader() throws Exception {
        Redeployment.leavesNothing(Redeployed.class, folder);
    }
}
