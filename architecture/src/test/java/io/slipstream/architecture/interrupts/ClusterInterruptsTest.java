package io.slipstream.architecture.interrupts;

import java.util.Set;
import org.junit.jupiter.api.Tag;

/** As {@link Interrupts} says, of the cluster: only a JVM with flags of its own runs Aeron. */
@Tag("aeron")
class ClusterInterruptsTest extends Interrupts {
    ClusterInterruptsTest() {
        super(Set.of("core", "data", "journal", "ipc", "log", "service", "cluster"), Set.of("cluster"));
        ClusterProbes.addTo(probes());
    }
}
