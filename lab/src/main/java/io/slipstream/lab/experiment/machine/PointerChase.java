package io.slipstream.lab.experiment.machine;

import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Round;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Workload;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Walks through memory along random circles, one for each power of two from 8 KB on; all circles are made once, and a
 * round walks on each of them. Where there is a C++ compiler, a {@link Twin} walks through circles of its own,
 * and the two take turns at each size: what the neighbours leave of a shared cache changes from second to second, and
 * so touches both alike.
 */
public final class PointerChase implements Workload {
    public static final String JAVA = "ns/load";
    public static final String CPP = "C++ ns/load";
    public static final String RATIO = "Java / C++";

    private static final int LINE_BYTES = 64;
    private static final int SMALLEST_LOG = 13;
    /** Sets beyond this are in no cache, so that warming it up is in vain. */
    private static final long LARGEST_CACHED = 1 << 26;

    /** Up to this size a turn takes milliseconds, and of several in a round the median counts. */
    private static final long LARGEST_QUICK = 1 << 22;

    private static final int TURNS = 3;

    private final long[] sizes;
    private final Line[] places;
    private final int loads;
    private final @Nullable Twin twin;

    public PointerChase(Plan plan, long largest, int loads, String pages) throws IOException, InterruptedException {
        int cpu = Pinning.cpu(plan.cpus() - 1);
        // A thread that moves leaves its second-level cache behind.
        Pinning.currentThread(cpu);
        this.loads = loads;
        sizes = new long[Long.numberOfTrailingZeros(largest) - SMALLEST_LOG + 1];
        places = new Line[sizes.length];
        Line[][] lines = new Line[sizes.length][];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = 1L << (SMALLEST_LOG + i);
            lines[i] = new Line[(int) (sizes[i] / LINE_BYTES)];
            for (int j = 0; j < lines[i].length; j++) {
                lines[i][j] = new Line();
            }
        }
        // Into the old generation before they are linked: a collector that copies along references would put them in
        // order.
        System.gc();
        for (int i = 0; i < sizes.length; i++) {
            places[i] = circle(lines[i]);
        }
        twin = CppProgram.isPossible() ? new Twin(plan.directory(), loads, largest, cpu, pages) : null;
    }

    @Override
    public void run(Round round) throws IOException {
        for (int i = 0; i < sizes.length; i++) {
            double[] java = new double[sizes[i] <= LARGEST_QUICK ? TURNS : 1];
            double[] cpp = new double[java.length];
            double[] ratios = new double[java.length];
            for (int turn = 0; turn < java.length; turn++) {
                java[turn] = nanosPerLoad(i);
                cpp[turn] = twin == null ? Double.NaN : twin.nanosPerLoad(sizes[i]);
                ratios[turn] = java[turn] / cpp[turn];
            }
            round.record(JAVA, sizes[i], Sample.of(java).median());
            if (twin != null) {
                round.record(CPP, sizes[i], Sample.of(cpp).median());
                round.record(RATIO, sizes[i], Sample.of(ratios).median());
            }
            int lines = (int) (sizes[i] / LINE_BYTES);
            if (lines <= loads) {
                round.check("a turn later", 1, chase(places[i], lines) == places[i] ? 1 : 0);
            }
        }
    }

    private double nanosPerLoad(int i) {
        // One whole turn brings into the caches what fits.
        Line place = chase(places[i], sizes[i] <= LARGEST_CACHED ? sizes[i] / LINE_BYTES : loads / 4);
        long start = System.nanoTime();
        places[i] = chase(place, loads);
        return (double) (System.nanoTime() - start) / loads;
    }

    @Override
    public void close() throws IOException {
        if (twin != null) {
            twin.close();
        }
    }

    /** A random circle through all lines (Sattolo's algorithm, 1986). */
    private static Line circle(Line[] lines) {
        int count = lines.length;
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        SplittableRandom random = new SplittableRandom(42);
        for (int i = count - 1; i > 0; i--) {
            int j = random.nextInt(i);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        for (int i = 0; i < count; i++) {
            lines[i].next = lines[order[i]];
        }
        return lines[0];
    }

    private static Line chase(Line from, long loads) {
        Line place = from;
        for (long i = 0; i < loads; i++) {
            place = place.next;
        }
        return place;
    }

    /** With its header and the reference as long as a cache line. */
    @SuppressWarnings("unused")
    private static final class Line {
        private Line next = this;
        private long a, b, c, d, e, f;
    }

    /** The program in C++, which waits until it is told a size. It ends when its input does, be it with this JVM. */
    private static final class Twin implements AutoCloseable {
        private final Process process;
        private final Writer ask;
        private final BufferedReader answers;

        Twin(Path directory, int loads, long largest, int cpu, String pages) throws IOException, InterruptedException {
            Path program = CppProgram.compile("pointer_chase.cpp", directory);
            process = new ProcessBuilder(
                            program.toString(),
                            String.valueOf(loads),
                            String.valueOf(largest),
                            String.valueOf(cpu),
                            pages)
                    .redirectErrorStream(true)
                    .start();
            ask = process.outputWriter(StandardCharsets.US_ASCII);
            answers = process.inputReader(StandardCharsets.US_ASCII);
        }

        double nanosPerLoad(long size) throws IOException {
            ask.write(size + "\n");
            ask.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new EOFException("the C++ program ended before it had measured " + size + " bytes");
            }
            return Double.parseDouble(answer);
        }

        @Override
        public void close() throws IOException {
            ask.close();
            answers.close();
            process.destroy();
        }
    }
}
