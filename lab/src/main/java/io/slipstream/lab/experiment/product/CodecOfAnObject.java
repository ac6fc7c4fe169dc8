package io.slipstream.lab.experiment.product;

import io.slipstream.data.annotation.Length;
import io.slipstream.data.codec.Codec;
import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** P5: the object of B14 through Slipstream's codec. */
public final class CodecOfAnObject implements Experiment {
    private static final int JDK = 25;
    private static final int ARRAY = 10;
    private static final int ROOM = 256;

    @Override
    public Card card() {
        return Card.of("P5", "Slipstream's codec", Group.DATA)
                .question("What does Slipstream's codec take to write and read the object of B14?")
                .reported(
                        "Raw memory, write",
                        "48 / 27 ns",
                        "Nehalem / Sandy Bridge, July 2012",
                        "codec",
                        "write",
                        "ns/op")
                .reported(
                        "Raw memory, read", "58 / 50 ns", "Nehalem / Sandy Bridge, July 2012", "codec", "read", "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(3), Duration.ofSeconds(30))
                .rule("Holds when writing takes at most 48 ns, and reading into an object that is there at most 58 ns.")
                .explanation("""
                    The codec is made from the class once: a store for each field, a copy for each array. Its bytes
                    carry a version and the schema's fingerprint, which the article's raw memory did without.

                    Keep codecs in static final fields, and read into objects that you have.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int times = plan.count("objects", 100, 1_000_000, 1_000_000);
        plan.add("codec", () -> codec(times)).needsJdk(JDK);
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.range("codec", "write", "ns/op").atMost(48, "Writing, ns:"),
                () -> found.range("codec", "read", "ns/op").atMost(58, "Reading, ns:"));
    }

    private static Workload codec(int times) {
        MemorySegment memory = Arena.ofAuto().allocate(ROOM, Long.BYTES);
        Thing thing = new Thing();
        Thing read = new Thing();
        return round -> {
            long bytes = 0;
            long start = System.nanoTime();
            for (int i = 0; i < times; i++) {
                thing.number = i;
                bytes += Codecs.THINGS.encode(thing, memory, 0, ROOM);
            }
            round.record("ns/op", "write", (double) (System.nanoTime() - start) / times);
            int length = (int) (bytes / times);
            long sum = 0;
            start = System.nanoTime();
            for (int i = 0; i < times; i++) {
                sum += Codecs.THINGS.decodeInto(read, memory, 0, length).number;
            }
            round.record("ns/op", "read", (double) (System.nanoTime() - start) / times);
            round.check("sum of what was read", (times - 1L) * times, sum);
        };
    }

    /** Loaded where it is used, because older JVMs read this class too. */
    private static final class Codecs {
        private static final Codec<Thing> THINGS = Codec.of(Thing.class);
    }

    /** The object of the article. */
    public static final class Thing {
        public long number;
        public boolean flag = true;
        public int first = 2;
        public int second = 3;
        public @Length(ARRAY) double[] doubles = new double[ARRAY];
        public @Length(ARRAY) long[] longs = new long[ARRAY];

        public Thing() {}
    }
}
