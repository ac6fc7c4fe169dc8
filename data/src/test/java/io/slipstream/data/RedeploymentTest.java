package io.slipstream.data;

import io.slipstream.testkit.Redeployment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends before its process does. */
class RedeploymentTest {
    @TempDir
    private Path folder;

    @Test
    void whatWasClosedKeepsNoClassLoader() throws Exception {
        Redeployment.leavesNothing(Redeployed.class, folder);
    }
}
