package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.Form;
import io.slipstream.lab.experiment.Catalog;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemandTest {
    @TempDir
    private Path disk;

    @Test
    void isThatOfTheCaseThatNeedsMostBecauseCasesTakeTurns() {
        Demand demand = Demand.of(Catalog.select(List.of("B8")), Form.FULL, disk);
        assertThat(demand.roomBytes()).containsEntry(disk, 8L << 30);
        assertThat(demand.words()).contains("8 GB of room in " + disk).endsWith(", and 256 MB of each must stay free");
    }

    @Test
    void growsWithTheForm() {
        Demand quick = Demand.of(Catalog.all(), Form.QUICK, disk);
        Demand full = Demand.of(Catalog.all(), Form.FULL, disk);
        assertThat(full.memoryBytes()).isGreaterThan(quick.memoryBytes());
        assertThat(full.words()).contains(" of memory, ");
    }

    @Test
    void nothingNeedsNoWords() {
        assertThat(Demand.of(List.of(), Form.FULL, disk).words()).isEmpty();
    }
}
