package io.slipstream.lab;

import io.slipstream.lab.machine.MachineSheet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where an experiment puts its cases, and what it may know of the machine while doing so. */
public final class Plan {
    private final Form form;
    private final int cpus;
    private final Path directory;
    private final @Nullable Path memory;
    private final List<Case> cases = new ArrayList<>();
    private final List<Size> sizes = new ArrayList<>();

    /**
     * An empty plan.
     *
     * @param cpus processors of the machine that the lab may use
     * @param directory an empty directory on a real disk, removed after the run
     * @param memory an empty directory in memory (tmpfs), likewise; null where there is none
     */
    public Plan(Form form, int cpus, Path directory, @Nullable Path memory) {
        this.form = form;
        this.cpus = cpus;
        this.directory = directory;
        this.memory = memory;
    }

    public Form form() {
        return form;
    }

    /** Whether the cases that {@linkplain Card#leavesToFull the quick form leaves out} are wanted. */
    public boolean isComplete() {
        return form != Form.QUICK;
    }

    public int cpus() {
        return cpus;
    }

    public Path directory() {
        return directory;
    }

    public @Nullable Path memory() {
        return memory;
    }

    /** Whether memory that asks for transparent huge pages may get them. */
    public boolean hasHugePages() {
        return MachineSheet.hasHugePages();
    }

    /**
     * The size for the current form, which the report states beside that of the full one.
     *
     * @param unit what is counted, as {@link Size} says
     */
    public long size(String unit, long tiny, long quick, long full) {
        long here = size(tiny, quick, full);
        sizes.add(new Size(unit, full, here));
        return here;
    }

    /** As {@link #size(String, long, long, long)}, for what is counted in ints. */
    public int count(String unit, int tiny, int quick, int full) {
        return Math.toIntExact(size(unit, tiny, quick, full));
    }

    /** The size for the current form, where a reader has no use for it. */
    public long size(long tiny, long quick, long full) {
        return switch (form) {
            case TINY -> tiny;
            case QUICK -> quick;
            case FULL -> full;
        };
    }

    /** Thread counts 1, 2, 4 … up to {@code max}, and never more than there are processors. */
    public int[] threads(int max) {
        return threads(max, cpus);
    }

    static int[] threads(int max, int cpus) {
        int most = Math.min(max, cpus);
        return IntStream.concat(IntStream.iterate(1, n -> n < most, n -> n * 2), IntStream.of(most))
                .toArray();
    }

    public Case add(String series, Object x, Workload.Source source) {
        return add(new Case(series, String.valueOf(x), source, null, null));
    }

    /** A bar that has no x. */
    public Case add(String series, Workload.Source source) {
        return add(series, "", source);
    }

    /**
     * A benchmark of JMH: what one operation takes where its amount does not matter. Its rounds record {@code ns/op}
     * and {@code bytes/op}, and its auxiliary counters under their names.
     *
     * @param type its class, public and not final
     * @param method its public method
     */
    public Case addBenchmark(String series, Object x, Class<?> type, String method) {
        var benchmark = new Case.Benchmark(type.getCanonicalName() + "." + method);
        return add(new Case(series, String.valueOf(x), null, benchmark, null));
    }

    /** A bar that has no x. */
    public Case addBenchmark(String series, Class<?> type, String method) {
        return addBenchmark(series, "", type, method);
    }

    /** A program in C++ beside the Java cases; skipped when there is no compiler. */
    public Case addTwin(String series, Object x, String cppSource, Object... arguments) {
        var twin = new Case.Twin(
                cppSource, Stream.of(arguments).map(String::valueOf).toList());
        return add(new Case(series, String.valueOf(x), null, null, twin));
    }

    private Case add(Case added) {
        for (Case other : cases) {
            if (other.name().equals(added.name())) {
                throw new IllegalArgumentException("two cases are named '" + added.name() + "'");
            }
        }
        cases.add(added);
        return added;
    }

    public List<Case> cases() {
        return cases;
    }

    /** Those that were stated. */
    public List<Size> sizes() {
        return sizes;
    }
}
