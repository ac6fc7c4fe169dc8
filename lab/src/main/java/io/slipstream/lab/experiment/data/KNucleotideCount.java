package io.slipstream.lab.experiment.data;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.tool.KNucleotide;
import io.slipstream.lab.tool.NucleotideCounts;
import java.time.Duration;
import java.util.List;

/** B32: k-nucleotide in Java and in C++. */
public final class KNucleotideCount implements Experiment {
    private static final String PROBE = "GGTATT";

    @Override
    public Card card() {
        return Card.of("B32", "k-nucleotide", Group.DATA)
                .question("Does a better algorithm in Java beat a straightforward C++ program at counting nucleotide"
                        + " sequences?")
                .reported(
                        "Java, better algorithm",
                        "faster than the C program of its day",
                        "August 2011",
                        "Java",
                        "",
                        "ms")
                .reported("Straightforward C++", "slower", "August 2011", "C++, std::unordered_map", "", "ms")
                .plot(Plot.bars("ms"))
                .takes(Duration.ofSeconds(10), Duration.ofMinutes(20))
                .rule("Holds when the C++ program with std::unordered_map takes at least 1.2 times as long as Java,"
                        + " and both find the same.")
                .explanation("""
                    A sequence of up to 31 nucleotides fits into one number of two bits each; moving on by one is
                    a shift. Short sequences index a table directly, long ones an open-addressed table whose keys
                    and counts lie side by side. The standard map allocates a node for every sequence and follows
                    a pointer to it.

                    The third bar is the fair question about the language: the same algorithm in C++, with the
                    same tables. The algorithm and its memory layout decide, then the machine, then the
                    language.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int letters = plan.count("letters", 1_000, 250_000, 25_000_000);
        // While a table grows, there are two of it, together with up to 96 bytes for each letter.
        plan.add("Java", () -> counting(letters))
                .heap(Math.max(1L << 30, 128L * letters))
                .jvm("-Xmn64m");
        plan.addTwin("C++, std::unordered_map", "", "k_nucleotide.cpp", "map", letters)
                .needsMemory(96L * letters);
        plan.addTwin("C++, same algorithm", "", "k_nucleotide.cpp", "table", letters)
                .needsMemory(96L * letters);
    }

    private static Workload counting(int letters) {
        byte[] codes = codes(letters);
        KNucleotide task = KNucleotide.ofCodes(codes);
        long expected = occurrences(codes);
        return round -> {
            long start = System.nanoTime();
            String report = task.report();
            round.record("ms", (System.nanoTime() - start) / 1e6);
            long found = found(report);
            round.record(PROBE + " found", found);
            round.check(PROBE + " found", expected, found);
        };
    }

    /** By looking at every place. */
    private static long occurrences(byte[] codes) {
        long count = 0;
        for (int i = 0; i + PROBE.length() <= codes.length; i++) {
            int same = 0;
            while (same < PROBE.length() && codes[i + same] == NucleotideCounts.code(PROBE.charAt(same))) {
                same++;
            }
            count += same == PROBE.length() ? 1 : 0;
        }
        return count;
    }

    @Override
    public Verdict judge(Findings found) {
        String metric = PROBE + " found";
        double java = found.get("Java", "", metric).median();
        for (String twin : List.of("C++, std::unordered_map", "C++, same algorithm")) {
            if (found.get(twin, "", metric).median() != java) {
                return Verdict.cannotTell("The programs disagree about how often " + PROBE + " occurs.");
            }
        }
        Verdict same = found.ratio("ms", "C++, same algorithm", "Java")
                .atLeast(1, "(For information: the same algorithm in C++ against Java:");
        Verdict claim = found.ratio("ms", "C++, std::unordered_map", "Java")
                .atLeast(1.2, "C++ with std::unordered_map against Java:");
        return new Verdict(claim.kind(), claim.reason() + " " + same.reason().replaceFirst(", wanted.*", ".)"));
    }

    private static long found(String report) {
        return report.lines()
                .filter(l -> l.endsWith("\t" + PROBE))
                .mapToLong(l -> Long.parseLong(l.substring(0, l.indexOf('\t'))))
                .sum();
    }

    /** The generator of the twin, so that both count the same (linear congruential, Knuth's MMIX constants). */
    public static byte[] codes(int size) {
        byte[] codes = new byte[size];
        long state = 42;
        for (int i = 0; i < size; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            codes[i] = (byte) (state >>> 62);
        }
        return codes;
    }
}
