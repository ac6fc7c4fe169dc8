package io.slipstream.lab;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the data says about a claim, and why. */
public record Verdict(Kind kind, String reason) {

    public enum Kind {
        HOLDS("holds"),
        DOES_NOT_HOLD("does not hold"),
        CANNOT_TELL("cannot be told here"),
        /** For experiments that measure the machine and claim nothing. */
        MEASURED("measured");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    public static Verdict holds(String reason) {
        return new Verdict(Kind.HOLDS, reason);
    }

    public static Verdict doesNotHold(String reason) {
        return new Verdict(Kind.DOES_NOT_HOLD, reason);
    }

    public static Verdict cannotTell(String reason) {
        return new Verdict(Kind.CANNOT_TELL, reason);
    }

    public static Verdict measured(String reason) {
        return new Verdict(Kind.MEASURED, reason);
    }

    /**
     * The rule of all rules: holds when the range lies within the limits, does not hold when it lies outside, and
     * cannot be told when it lies across one of them.
     */
    static Verdict ofRange(double low, double high, double least, double most, String reason) {
        if (low >= least && high <= most) {
            return holds(reason);
        }
        return high < least || low > most
                ? doesNotHold(reason)
                : cannotTell(reason + " The spread lies across the line.");
    }

    static Verdict atLeast(double least, double low, double high, String found) {
        return ofRange(
                low, high, least, Double.POSITIVE_INFINITY, found + ", wanted at least " + Figure.show(least) + ".");
    }

    static Verdict atMost(double most, double low, double high, String found) {
        return ofRange(
                low, high, Double.NEGATIVE_INFINITY, most, found + ", wanted at most " + Figure.show(most) + ".");
    }

    /** This, unless it does not hold for a reason that lies in how it is measured here. */
    public Verdict orCannotTell(String why) {
        return kind == Kind.DOES_NOT_HOLD ? cannotTell(reason + " " + why) : this;
    }

    /** This, on figures that were disturbed. */
    Verdict disturbed() {
        return cannotTell("Others used the machine meanwhile. As far as it goes: " + reason);
    }

    /** As {@link #all}, with the verdict on each beside its reason, and how many hold. */
    static Verdict claims(List<Verdict> claims) {
        Verdict[] parts = claims.toArray(Verdict[]::new);
        long holding = claims.stream().filter(c -> c.kind == Kind.HOLDS).count();
        String each = claims.stream()
                .map(c -> " " + c.kind.words().substring(0, 1).toUpperCase(Locale.ROOT)
                        + c.kind.words().substring(1) + ": " + c.reason)
                .collect(Collectors.joining());
        return new Verdict(
                all(parts).kind,
                holding + " of " + claims.size() + (claims.size() == 1 ? " part" : " parts")
                        + (holding == 1 ? " holds." : " hold.") + each);
    }

    /**
     * All must hold: one that does not hold decides, then one that cannot be told. The reasons of all parts are kept.
     */
    public static Verdict all(Verdict... parts) {
        String reasons =
                String.join(" ", List.of(parts).stream().map(Verdict::reason).toList());
        for (Kind decisive : List.of(Kind.DOES_NOT_HOLD, Kind.CANNOT_TELL)) {
            for (Verdict part : parts) {
                if (part.kind == decisive) {
                    return new Verdict(decisive, reasons);
                }
            }
        }
        return new Verdict(Kind.HOLDS, reasons);
    }
}
