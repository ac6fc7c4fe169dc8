package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Sample;
import io.slipstream.lab.run.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Three sentences: what this machine does better than those of the articles, what it does worse, and what follows for
 * a service. Better is at least {@value #BETTER} times, worse at most {@value #WORSE} of what was reported; the three
 * that are farthest from it are named. Figures that were disturbed are left out.
 */
final class InShort {
    private static final double BETTER = 1.5;
    private static final double WORSE = 0.83;
    private static final int MOST = 3;

    /** A figure that reads alone, and the best that the articles report of it. */
    private record Mark(String what, String id, String series, String x, String metric, double reported) {}

    private static final List<Mark> MARKS = List.of(
            new Mark("a round trip between two threads", "B3", "Java", "", "ns/op", 102),
            new Mark("waking a thread by a condition, there and back", "B4", "condition, pinned", "", "ns/op", 4_046),
            new Mark("a counter that two threads increment by CAS", "B6", "CAS", "two threads", "ns/op", 36),
            new Mark("a lock that one thread takes", "B6", "lock", "one thread", "ns/op", 20),
            new Mark("a lock that two threads want", "B6", "lock", "two threads", "ns/op", 236),
            new Mark("writing a file by FileChannel", "B8", "FileChannel", "", "write MB/s", 266),
            new Mark("reading a file by FileChannel", "B8", "FileChannel", "", "read MB/s", 1_540),
            new Mark("a call that cannot be inlined", "B9", "calls", "4", "ns/op", 3.6),
            new Mark("reading memory in order", "B10", "in order", "", "ns/op", 0.9),
            new Mark("reading memory at random", "B10", "over the heap", "", "ns/op", 9.4),
            new Mark("creating a small file on the disk", "B25", "disk", "", "create µs", 22.9),
            new Mark("encoding an object to a ByteBuffer", "B14", "ByteBuffer", "write", "ns/op", 174),
            new Mark("updating a field of a million beans", "B26", "list of beans", "", "ns/op", 6.5));

    private record Seen(Mark mark, double here, double times) {
        String words() {
            return mark.what + " (" + Figure.show(here) + " " + mark.metric + "; reported: "
                    + Figure.show(mark.reported) + ")";
        }
    }

    private InShort() {}

    static void add(Html page, RunResult run, List<Advice> advice) {
        page.raw("<section id=\"short\">\n<h2>In short</h2>\n");
        for (String sentence : sentences(run, advice)) {
            page.element("p class=\"question\"", sentence);
        }
        page.raw("<p class=\"note\">Compared with the machines of 2011 to 2013 on which the articles measured."
                + " <a href=\"#advice\">What suits this machine</a> has the rest.</p>\n</section>\n");
    }

    static List<String> sentences(RunResult run, List<Advice> advice) {
        List<Seen> seen = seen(run);
        String better = named(seen.stream()
                .filter(one -> one.times >= BETTER)
                .sorted(Comparator.comparingDouble((Seen one) -> -one.times))
                .toList());
        String worse = named(seen.stream()
                .filter(one -> one.times <= WORSE)
                .sorted(Comparator.comparingDouble(Seen::times))
                .toList());
        return List.of(
                seen.isEmpty()
                        ? "What this machine is good at takes more figures: ./slipstream lab run B3 B4 B6 B8 B10."
                        : better.isEmpty()
                                ? "Nothing that was measured is clearly faster here than it was reported."
                                : "This machine is good at " + better + ".",
                seen.isEmpty() || !worse.isEmpty()
                        ? worse.isEmpty() ? "So does what it is bad at." : "It is bad at " + worse + "."
                        : "Nothing that was measured is clearly slower here than it was reported.",
                advice.isEmpty()
                        ? "What follows for a service cannot be told from these figures."
                        : "For a service: " + first(advice.get(0).text()) + ".");
    }

    private static List<Seen> seen(RunResult run) {
        Map<String, Findings> byId = new LinkedHashMap<>();
        run.machine().jvms().stream()
                .limit(1)
                .flatMap(jvm -> Judged.all(run.on(jvm)).stream())
                .forEach(judged -> byId.put(judged.result().id(), judged.findings()));
        List<Seen> seen = new ArrayList<>();
        for (Mark mark : MARKS) {
            Findings found = byId.get(mark.id);
            Sample sample = found == null || found.isDisturbed(mark.series, mark.x)
                    ? null
                    : found.find(mark.series, mark.x, mark.metric);
            if (sample != null) {
                double here = sample.median();
                double times = Findings.isRate(mark.metric) ? here / mark.reported : mark.reported / here;
                seen.add(new Seen(mark, here, times));
            }
        }
        return seen;
    }

    private static String named(List<Seen> seen) {
        return seen.stream().limit(MOST).map(Seen::words).collect(Collectors.joining(", "));
    }

    /** The first sentence of an advice, so that it may follow a colon. */
    private static String first(String advice) {
        String text = advice.replace("A rule of thumb: ", "");
        int end = text.indexOf(". ");
        String sentence = end < 0 ? text.replaceFirst("\\.$", "") : text.substring(0, end);
        return Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
