package io.slipstream.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One bar or one point: a workload, a benchmark of JMH or a program in C++, as one of a series at an x, with the JVM it
 * wants. Configured while planning, then only read.
 */
public final class Case {
    /** The heap of a forked JVM, unless a case sets another. */
    public static final long HEAP_BYTES = 1L << 30;

    private static final int FOREIGN_MEMORY_JDK = 22;

    private final String series;
    private final String x;
    private final Workload.@Nullable Source source;
    private final @Nullable Benchmark benchmark;
    private final @Nullable Twin twin;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final List<String> jvmFlags = new ArrayList<>();
    private final Needs needs;
    private Duration warmUp = Duration.ZERO;
    private int oldestJdk;
    private int newestJdk = Integer.MAX_VALUE;
    private boolean needsPinning;
    private boolean needsDisk;
    private @Nullable String skipReason;

    Case(
            String series,
            String x,
            Workload.@Nullable Source source,
            @Nullable Benchmark benchmark,
            @Nullable Twin twin) {
        this.series = series;
        this.x = x;
        this.source = source;
        this.benchmark = benchmark;
        this.twin = twin;
        needs = new Needs(twin == null ? HEAP_BYTES : 0);
    }

    /** Flags of the forked JVM; its heap is set by {@link #heap}. */
    public Case jvm(String... flags) {
        for (String flag : flags) {
            if (flag.startsWith("-Xms") || flag.startsWith("-Xmx")) {
                throw new IllegalArgumentException(
                        "say heap(bytes) instead of " + flag + ", so that the need is known");
            }
        }
        jvmFlags.addAll(List.of(flags));
        return this;
    }

    /**
     * The heap of the forked JVM, which has it from the start; {@link #HEAP_BYTES} if nothing is said. It is needed.
     */
    public Case heap(long bytes) {
        long megabytes = (bytes + (1 << 20) - 1) >> 20;
        jvmFlags.addAll(List.of("-Xms" + megabytes + "m", "-Xmx" + megabytes + "m"));
        needs.setHeap(megabytes << 20);
        return this;
    }

    /** Needs so much memory of the machine, beside the heap; not run where less is available. */
    public Case needsMemory(long bytes) {
        needs.addMemory(bytes);
        return this;
    }

    /** Needs so much room in a directory; not run where less is free. */
    public Case needsRoom(Path directory, long bytes) {
        needs.addRoom(directory, bytes);
        return this;
    }

    /**
     * Has so much code, or code so slow before it is compiled, that the warm-up of the quick form must last at least so
     * long.
     */
    public Case warmUp(Duration least) {
        warmUp = least;
        return this;
    }

    /** A parameter of the benchmark. */
    public Case param(String name, Object value) {
        parameters.put(name, String.valueOf(value));
        return this;
    }

    /**
     * Runs only on these JDKs, the ends included. Where the newest is stated, the case is about these, and runs on
     * another JDK that was found on the machine when the chosen one does not fit.
     */
    public Case jdk(int oldest, int newest) {
        oldestJdk = oldest;
        newestJdk = newest;
        return this;
    }

    /** Uses an API of this JDK; missing where the chosen one is older. */
    public Case needsJdk(int oldest) {
        return jdk(oldest, Integer.MAX_VALUE);
    }

    /** Uses {@code java.lang.foreign}. */
    public Case needsForeignMemory() {
        return needsJdk(FOREIGN_MEMORY_JDK);
    }

    /** Says nothing unless its threads are pinned; skipped where the system does not allow that. */
    public Case needsPinning() {
        needsPinning = true;
        return this;
    }

    /** Is about a disk; skipped where the directory for files is in memory. */
    public Case needsDisk() {
        needsDisk = true;
        return this;
    }

    /** Says why this case cannot be run here; it is reported with this reason. */
    public Case skip(String reason) {
        skipReason = reason;
        return this;
    }

    public String series() {
        return series;
    }

    public String x() {
        return x;
    }

    /** How the case is named in results and to a forked JVM. */
    public String name() {
        return x.isEmpty() ? series : series + " / " + x;
    }

    public Workload.@Nullable Source source() {
        return source;
    }

    public @Nullable Benchmark benchmark() {
        return benchmark;
    }

    public @Nullable Twin twin() {
        return twin;
    }

    /** How long the warm-up lasts at least. */
    public long warmUpMillis(Form form) {
        return form == Form.TINY ? form.warmUpMillis() : Math.max(form.warmUpMillis(), warmUp.toMillis());
    }

    /** The parameters of the benchmark, by name. */
    public Map<String, String> parameters() {
        return parameters;
    }

    public List<String> jvmFlags() {
        return jvmFlags;
    }

    /** Why it is not run here, or null. */
    public @Nullable String skipReason() {
        String obstacle = needsPinning ? Pinning.obstacle() : null;
        return obstacle == null ? skipReason : "threads cannot be pinned here: " + obstacle;
    }

    /** Whether it is about a disk. */
    public boolean isAboutDisk() {
        return needsDisk;
    }

    public Needs needs() {
        return needs;
    }

    public boolean fits(int jdk) {
        return oldestJdk <= jdk && jdk <= newestJdk;
    }

    /** Whether it is about certain JDKs, and not about the chosen one. */
    public boolean isAboutCertainJdks() {
        return newestJdk < Integer.MAX_VALUE;
    }

    /** What {@link #fits} wants, in words. */
    public String wantedJdk() {
        return newestJdk == Integer.MAX_VALUE
                ? "JDK " + oldestJdk + " or newer"
                : "JDK " + oldestJdk + " to " + newestJdk;
    }

    /** A benchmark of JMH, as JMH names it: its class and its method. */
    public record Benchmark(String name) {}

    /**
     * A program in C++ that does the same: a source in {@code twin/}, and its arguments (the processors come first).
     */
    public record Twin(String source, List<String> arguments) {}
}
