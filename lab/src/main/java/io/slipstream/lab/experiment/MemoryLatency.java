package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** M2: a pointer chase through working sets of growing size. */
final class MemoryLatency implements Experiment {
  private static final int LINE_LONGS = 8;

  @Override
  public Card card() {
    return Card.of("M2", "Memory latency", Group.MACHINE)
        .question("How long does a load take whose address comes from the load before it, by the size of the memory in use?")
        .plot(Plot.lines("ns/load", "bytes"))
        .takes(Duration.ofSeconds(14), Duration.ofMinutes(4))
        .rule("A measurement of the machine; nothing is claimed. The C++ curve is the check of the Java one.")
        .explanation("""
            Every line of the working set holds the place of the next, in one random circle, so that neither prefetching nor \
            out-of-order execution helps. The curve climbs in steps where a cache is full; the marks are the sizes the kernel states. \
            Beyond the last cache each load is a trip to memory, and on large sets a walk through the page tables too.

            The height of the steps is what a linked structure pays for each node. Keep the hot state of a service small enough for the \
            step you can afford.""");
  }

  static long[] sizes(Plan plan) {
    long largest = plan.size(1 << 16, 1 << 28, 1L << 30);
    int steps = 64 - Long.numberOfLeadingZeros(largest) - 13;
    long[] sizes = new long[steps];
    for (int i = 0; i < steps; i++) {
      sizes[i] = 1L << (13 + i);
    }
    return sizes;
  }

  @Override
  public void plan(Plan plan) {
    long[] sizes = sizes(plan);
    int loads = plan.count(100, 400_000, 5_000_000);
    plan.add("Java", () -> round -> {
      for (long size : sizes) {
        long[] circle = circle((int) (size / Long.BYTES));
        // One whole turn brings into the caches what fits.
        long place = chase(circle, 0, Math.min(circle.length / LINE_LONGS, 4L * loads));
        long start = System.nanoTime();
        place = chase(circle, place, loads);
        round.record("ns/load", size, (double) (System.nanoTime() - start) / loads);
        round.check("place on the circle", 0, place % LINE_LONGS);
      }
    }).jvm("-Xms2g", "-Xmx2g");
    plan.addTwin("C++", "", "pointer_chase.cpp", loads, sizes[sizes.length - 1]);
  }

  @Override
  public Verdict judge(Findings found) {
    List<String> sizes = found.xs("ns/load");
    String smallest = sizes.get(0);
    String largest = sizes.get(sizes.size() - 1);
    String text = "A dependent load takes " + Figure.show(found.get("Java", smallest, "ns/load").median()) + " ns in "
        + Figure.bytes(Long.parseLong(smallest)) + " and " + Figure.show(found.get("Java", largest, "ns/load").median()) + " ns in "
        + Figure.bytes(Long.parseLong(largest)) + ".";
    return Verdict.measured(text);
  }

  /** A random circle through all lines (Sattolo's algorithm, 1986). */
  private static long[] circle(int longs) {
    int lines = longs / LINE_LONGS;
    int[] order = new int[lines];
    for (int i = 0; i < lines; i++) {
      order[i] = i;
    }
    SplittableRandom random = new SplittableRandom(42);
    for (int i = lines - 1; i > 0; i--) {
      int j = random.nextInt(i);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    long[] circle = new long[longs];
    for (int i = 0; i < lines; i++) {
      circle[i * LINE_LONGS] = (long) order[i] * LINE_LONGS;
    }
    return circle;
  }

  private static long chase(long[] circle, long from, long loads) {
    long place = from;
    for (long i = 0; i < loads; i++) {
      place = circle[(int) place];
    }
    return place;
  }
}
