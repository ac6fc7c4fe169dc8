package io.slipstream.sim.world;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What has happened in a world: a line for each event if somebody listens, a hash of all, and how many faults. */
public final class Trace {
    private final Schedule schedule;
    private final Map<String, Long> counts = new TreeMap<>();
    private @Nullable Consumer<String> listener;
    private long hash;

    Trace(Schedule schedule) {
        this.schedule = schedule;
    }

    /** Hands each event to {@code newListener} as a line of text from now on. */
    public void listener(@Nullable Consumer<String> newListener) {
        listener = newListener;
    }

    /** Notes that something has happened to {@code who}; {@code number} tells more of it. */
    public void note(String who, String what, long number) {
        note(who, what, number, "");
    }

    /** As {@link #note(String, String, long)}, with the hash of the bytes that it is about. */
    public void note(String who, String what, long number, long bytes) {
        mix(bytes);
        note(who, what, number, listener == null ? "" : String.format(Locale.ROOT, " [%016x]", bytes));
    }

    private void note(String who, String what, long number, String more) {
        mix(schedule.nanos());
        mix(who.hashCode());
        mix(what.hashCode());
        mix(number);
        if (listener != null) {
            listener.accept(String.format(
                    Locale.ROOT, "%14.6f s  %-9s %s %d%s", schedule.nanos() / 1e9, who, what, number, more));
        }
    }

    /** As {@link #note}, and counts it as a fault that was injected. */
    public void fault(String who, String kind, long number) {
        counts.merge(kind, 1L, Long::sum);
        note(who, kind, number);
    }

    /** Returns how many faults there were of each kind. */
    public Map<String, Long> faults() {
        return counts;
    }

    /** Returns a hash of all that has happened: equal for equal histories. */
    public long hash() {
        return hash;
    }

    private void mix(long value) {
        long z = (hash ^ value) + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        hash = z ^ z >>> 31;
    }
}
