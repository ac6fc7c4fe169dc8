package io.slipstream.lab;

import io.slipstream.lab.machine.MachineSheet;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.RunResult;
import io.slipstream.lab.run.quiet.Calm;
import io.slipstream.lab.run.quiet.Trace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run with made-up figures that no test has to wait for. */
public final class MadeUp {
    private MadeUp() {}

    public static MachineSheet machine() {
        return machine("none", 8);
    }

    /** As that of a hypervisor, of which a container may use so many of the eight processors. */
    public static MachineSheet machine(String hypervisor, int usableCpus) {
        return machine(hypervisor, usableCpus, "available");
    }

    private static MachineSheet machine(String hypervisor, int usableCpus, String counters) {
        return new MachineSheet(
                "Made-up <9000>",
                8,
                4,
                1,
                1,
                List.of("0,4", "1,5", "2,6", "3,7"),
                List.of(new MachineSheet.Cache(1, 32 << 10, 64, "0,4"), new MachineSheet.Cache(2, 1 << 20, 64, "0,4")),
                16L << 30,
                hypervisor,
                "performance",
                "madvise",
                List.of(),
                "6.1.0",
                0.1,
                usableCpus,
                Math.min(4, usableCpus),
                List.of("/tmp: ext4"),
                false,
                counters,
                List.of("JDK 25"),
                List.of("A made-up machine measures nothing."));
    }

    public static RunResult run() {
        return new RunResult(
                RunResult.SCHEMA,
                "2026-11-20T10:00:00Z",
                Form.QUICK,
                machine(),
                List.of(
                        new ExperimentResult(
                                "B2",
                                "JDK 25",
                                12,
                                List.of(
                                        result("padded", "1", "ns/op", 5.9, 6, 6.1),
                                                result("padded", "2", "ns/op", 6, 6.1, 6.3),
                                        result("side by side", "1", "ns/op", 6, 6, 6.1),
                                                result("side by side", "2", "ns/op", 40, 44, 70))),
                        new ExperimentResult(
                                "B3",
                                "JDK 25",
                                8,
                                List.of(
                                        result("Java", "", "ns/op", 98, 100, 103),
                                        result("C++", "", "ns/op", 96, 99, 99))),
                        new ExperimentResult(
                                "B4",
                                "JDK 25",
                                8,
                                List.of(
                                        result("condition, pinned", "", "ns/op", 9_000, 9_100, 9_900),
                                        result("condition, free", "", "ns/op", 12_000, 14_000, 20_000),
                                        result("spinning, pinned", "", "ns/op", 98, 99, 101))),
                        new ExperimentResult(
                                "B24",
                                "JDK 25",
                                8,
                                List.of(
                                        percentiles("blocking", 20, 25, 40, 90),
                                        percentiles("asynchronous", 30, 36, 60, 200))),
                        new ExperimentResult("M1", "JDK 25", 3, List.of(distances(0), distances(1), distances(4))),
                        new ExperimentResult("M2", "JDK 25", 9, List.of(chase("small pages"), chase("huge pages")))),
                39,
                null,
                List.of());
    }

    /** One in which the lab noted how far apart the processors were. */
    public static RunResult withDistances() {
        CaseResult java = new CaseResult(
                "Java",
                "",
                "JDK 25",
                List.of(),
                Map.of("ns/op", List.of(100.0, 101.0), Findings.DISTANCE, List.of(110.0, 110.0)),
                Calm.UNKNOWN,
                0,
                2,
                0,
                null,
                null);
        return run(machine(), new ExperimentResult("B3", "JDK 25", 1, List.of(java)));
    }

    /** One that was kept waiting, on a machine that hides its counters, with threads that could not be pinned. */
    public static RunResult disturbed() {
        Calm calm = new Calm(900, 500_000, 0, 0, 50_000, new Trace(10, List.of(60, 500_000, 80)));
        CaseResult stalled = new CaseResult(
                "stalled",
                "",
                "JDK 25",
                List.of(),
                Map.of("ns/op", List.of(100.0, 101.0)),
                calm,
                0,
                2,
                1,
                "not all of its threads were pinned: no permission",
                null);
        return run(
                machine("none", 8, "hidden by this (virtual) machine: perf counts only what the kernel does"),
                new ExperimentResult("B3", "JDK 25", 1, List.of(stalled)));
    }

    /** A run of some results. */
    public static RunResult run(MachineSheet machine, ExperimentResult... results) {
        return new RunResult(
                RunResult.SCHEMA, "2026-11-20T10:00:00Z", Form.QUICK, machine, List.of(results), 39, null, List.of());
    }

    private static CaseResult distances(int from) {
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        for (int to : new int[] {0, 1, 4}) {
            if (to != from) {
                samples.put("ns/round trip @ " + to, List.of(Math.abs(to - from) == 4 ? 20.0 : 90.0 + to));
            }
        }
        return new CaseResult(
                String.valueOf(from), "", "JDK 25", List.of(), samples, Calm.UNKNOWN, 0, 1, 0, null, null);
    }

    private static CaseResult chase(String pages) {
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        for (int size = 1 << 13; size <= 1 << 16; size *= 2) {
            samples.put("ns/load @ " + size, List.of(size / 8192.0, size / 8000.0));
            samples.put("Java / C++ @ " + size, size < 1 << 16 ? List.of(0.98, 1.0, 1.03) : List.of(1.2, 1.25, 1.31));
        }
        return new CaseResult(pages, "", "JDK 25", List.of("-Xmx2g"), samples, Calm.UNKNOWN, 0, 1, 0, null, null);
    }

    private static CaseResult percentiles(String series, double... micros) {
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        String[] names = {"50", "90", "99", "99.9"};
        for (int i = 0; i < names.length; i++) {
            samples.put("latency µs @ " + names[i], List.of(micros[i]));
        }
        return new CaseResult(series, "", "JDK 25", List.of(), samples, Calm.UNKNOWN, 0, 1, 0, null, null);
    }

    public static CaseResult result(String series, String x, String metric, double... values) {
        return new CaseResult(
                series,
                x,
                "JDK 25",
                List.of("-Xmx1g"),
                Map.of(metric, Sample.of(values).values()),
                Calm.UNKNOWN,
                0,
                1,
                0,
                null,
                null);
    }
}
