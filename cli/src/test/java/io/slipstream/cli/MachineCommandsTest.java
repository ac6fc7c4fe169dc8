package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.affinity.Cache;
import io.slipstream.core.affinity.Cpu;
import io.slipstream.core.affinity.CpuSet;
import io.slipstream.core.affinity.JitterSample;
import io.slipstream.core.affinity.Topology;
import io.slipstream.core.memory.Pages;
import io.slipstream.data.json.Json;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MachineCommandsTest {
    @Test
    void drawsTheMachineAsATree() {
        List<Cpu> cpus = List.of(
                new Cpu(0, 0, 0, 0, CpuSet.of(0, 2), false, false), new Cpu(1, 1, 1, 1, CpuSet.of(1, 3), true, false),
                new Cpu(2, 0, 0, 0, CpuSet.of(0, 2), true, false), new Cpu(3, 1, 1, 1, CpuSet.of(1, 3), true, true));
        List<Cache> caches = List.of(
                new Cache(1, Cache.Type.DATA, 48 << 10, 64, CpuSet.of(0, 2)),
                new Cache(1, Cache.Type.DATA, 48 << 10, 64, CpuSet.of(1, 3)),
                new Cache(3, Cache.Type.UNIFIED, 32 << 20, 64, CpuSet.parse("0-3")));
        String drawing = new TopologyDrawing(
                        new Topology(cpus, caches, CpuSet.parse("1-3"), OptionalDouble.of(1.5), true, "a test"),
                        new Pages(OptionalLong.of(4096), "madvise", OptionalLong.of(2 << 20), OptionalLong.empty()),
                        OptionalInt.of(256))
                .draw();
        assertThat(drawing).startsWith("""
            machine: 2 sockets, 2 cores, 4 CPUs, 2 memory nodes
            ├─ node 0
            │  └─ socket 0
            │     └─ core 0: CPU 0 (not allowed)  CPU 2
            └─ node 1
               └─ socket 1
                  └─ core 1: CPU 1  CPU 3 (isolated)
            caches:
               L1 data            48 KiB, lines of 64 bytes: CPU 0,2 | CPU 1,3
               L3 unified         32 MiB, lines of 64 bytes: CPU 0-3
            memory:
               pages       4 KiB, transparent huge pages: madvise
               huge pages  2 MiB, unknown of them reserved and free
               cache line  256 bytes; fields that Slipstream keeps 128 bytes apart may share one, \
            which slows threads down
            this process:
               may use     CPU 1-3, at most 1.50 of them at a time (control group)
               isolated    CPU 3
               busy        at most 1 thread can spin without taking the processor from each other
               one a core  CPU 3, 2, 1, in this order
            """);
    }

    @Test
    void showsTheGapsOfEachCpuBesideEachOther() {
        long[] first = new long[64];
        first[9] = 3;
        first[10] = 1_000;
        first[12] = 1;
        long[] second = new long[64];
        second[12] = 10;
        String table = new JitterTable(List.of(
                        new JitterSample(0, true, 1_000_000_000, 1_000, 1_001, 1_500_000, 5_000, first),
                        new JitterSample(1, false, 1_000_000_000, 1_000, 10, 50_000, 6_000, second)))
                .draw();
        assertThat(table)
                .contains("0            1001.0     0.1500 %       5.0 us")
                .contains("1              10.0     0.0050 %       6.0 us   not pinned: the thread may have wandered")
                .contains(" 1.00 us - 1.02 us          3 ####")
                .doesNotContain("512 ns")
                .contains(" 1.02 us - 2.05 us       1000 ########################")
                .contains(" 4.10 us - 8.19 us          1 #                              10 ########");
        assertThat(new JitterTable(List.of()).draw()).contains("no gap was long enough to count");
    }

    @Test
    void tellsProgramsTheSameAsJson() {
        TopologyReport report = TopologyReport.ofThisMachine();
        assertThat(Json.of(TopologyReport.class).read(report.json())).isEqualTo(report);
        assertThat(report.cpus()).isNotEmpty();
    }

    @Test
    void foldsLinesForANarrowTerminal() {
        assertThat(TerminalWidth.wrap("   L1 data: CPU 0 | CPU 1\nshort\n", 20))
                .isEqualTo("   L1 data: CPU 0 |\n      CPU 1\nshort\n");
        assertThat(TerminalWidth.columns("72", 80)).isEqualTo(72);
        assertThat(TerminalWidth.columns("wide", 80)).isEqualTo(80);
        assertThat(TerminalWidth.columns(null, 80)).isEqualTo(80);
    }
}
