package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Redeployment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends before its process does. */
class RedeploymentTest {
    private static final String OPENS = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";
    private static final String ALLOWS = "--sun-misc-unsafe-memory-access=allow";

    @TempDir
    private Path folder;

    @Test
    void aClusterThatWasClosedKeepsNoClassLoader() throws Exception {
        Redeployment.leavesNothing(Redeployed.class, folder, List.of(OPENS, ALLOWS));
    }

    @Test
    void aClusterThatIsOpenKeepsIts() throws Exception {
        assertThat(Redeployment.leftOpen(Redeployed.class, folder, OPENS, ALLOWS))
                .endsWith("ProgramLoader");
    }
}
