package io.slipstream.cli.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was claimed, what was seen, what was wanted, and whether it holds. All methods may be called by any thread. */
final class Verdicts {
    /** Whether a claim holds. */
    enum Outcome {
        HOLDS("holds"),
        INCONCLUSIVE("inconclusive"),
        BROKEN("BROKEN");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }

        static Outcome of(boolean holds) {
            return holds ? HOLDS : BROKEN;
        }
    }

    private record Verdict(String claim, Outcome outcome, String wanted, String seen) {}

    private final List<Verdict> verdicts = new ArrayList<>();

    /** Adds a verdict; {@code seen} is a format with {@code arguments}. */
    synchronized void add(String claim, Outcome outcome, String wanted, String seen, Object... arguments) {
        verdicts.add(new Verdict(claim, outcome, wanted, String.format(Locale.ROOT, seen, arguments)));
    }

    synchronized boolean isAny(Outcome outcome) {
        return verdicts.stream().anyMatch(verdict -> verdict.outcome() == outcome);
    }

    synchronized void print(PrintWriter out) {
        for (Verdict verdict : verdicts) {
            out.printf(Locale.ROOT, "  %-14s  %s%n", verdict.outcome().words, verdict.claim());
            out.printf(Locale.ROOT, "  %-14s  seen:   %s%n", "", verdict.seen());
            out.printf(Locale.ROOT, "  %-14s  wanted: %s%n", "", verdict.wanted());
        }
        out.flush();
    }
}
