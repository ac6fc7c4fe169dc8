package io.slipstream.journal;

import io.slipstream.testkit.Redeployment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends before its process does. */
class RedeploymentTest {
    @TempDir
    private Path folder;

    @Test
    void aJournalThatWasClosedKeepsNoClassLoader() throws Exception {
        Redeployment.leavesNothing(Redeployed.class, folder);
    }
}
