package io.slipstream.cli.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What was claimed, what was seen, and whether it holds. */
final class Verdicts {
    private record Verdict(String claim, String seen, boolean holds) {
    }

    private final List<Verdict> verdicts = new ArrayList<>();

    void add(String claim, boolean holds, String seen, Object... arguments) {
        verdicts.add(new Verdict(claim, String.format(seen, arguments), holds));
    }

    boolean allHold() {
        return verdicts.stream().allMatch(Verdict::holds);
    }

    void print(PrintWriter out) {
        int width = verdicts.stream().mapToInt(verdict -> verdict.claim().length()).max().orElse(0);
        for (Verdict verdict : verdicts) {
            out.printf("  %-6s  %-" + width + "s  %s%n", verdict.holds() ? "holds" : "BROKEN", verdict.claim(),
                    verdict.seen());
        }
        out.flush();
    }
}
