package io.slipstream.cluster.control;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether all members can act as the newest version of the state machine that one of them knows. */
final class Upgrade {
    private final int present;
    private final List<Integer> members = new ArrayList<>();
    private final List<Integer> known = new ArrayList<>();
    private final List<String> obstacles = new ArrayList<>();
    private int newest;

    /**
     * Begins to compare members.
     *
     * @param present the version that they act as
     */
    Upgrade(int present) {
        this.present = present;
        this.newest = present;
    }

    /** Notes what a member says. */
    void add(int member, Report report) {
        if (!report.ready()) {
            away("member " + member + " is not ready");
        }
        members.add(member);
        known.add(report.knows());
        newest = Math.max(newest, report.knows());
    }

    /** Notes that a member does not answer. */
    void away(String why) {
        obstacles.add(why);
    }

    /** Returns the newest version that a member knows. */
    int version() {
        return newest;
    }

    /** Returns why it is not to be, with the names of the members that are in the way; null if nothing is. */
    @Nullable
    String refusal() {
        List<String> all = new ArrayList<>(obstacles);
        for (int i = 0; i < members.size(); i++) {
            if (known.get(i) < newest) {
                all.add("member " + members.get(i) + " knows version " + known.get(i) + " alone");
            }
        }
        if (!all.isEmpty()) {
            return "all members must be here and know version " + newest + ": " + String.join("; ", all);
        }
        return newest == present
                ? "all members know version " + newest + " and act as it; start each with newer code before"
                : null;
    }
}
