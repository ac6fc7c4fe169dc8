package io.slipstream.log;

import io.slipstream.log.event.Level;
import io.slipstream.log.event.Site;
import io.slipstream.log.event.Sites;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Threads that log by a statement for the first time. They stand in this package because the tables do. */
public final class SiteRaces {
    private SiteRaces() {}

    /** Two threads log the same statement at once: it has one number, and the back end knows it. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "one number, and known")
    @Outcome(expect = Expect.FORBIDDEN, desc = "two numbers, or none, or not known")
    @State
    public static class OneStatement {
        private final Sites sites = new Sites(_ -> {});
        private final SiteTable table = new SiteTable(sites, Level.INFO, "a");

        /** Logs. */
        @Actor
        public void first(II_Result result) {
            result.r1 = known(sites, table.register("m"));
        }

        /** Logs the same, by a text that is another object. */
        @Actor
        public void second(II_Result result) {
            result.r2 = known(sites, table.register(new String("m")));
        }
    }

    static int known(Sites sites, int id) {
        Site site = sites.get(id);
        return site != null && site.message().equals("m") ? id : -id;
    }

    /** Broken twin: looks and registers in two steps. Must be found out. */
    @JCStressTest
    @JCStressMeta(OneStatement.class)
    @State
    public static class BrokenStatement {
        private volatile int last;
        private volatile int id;

        private int id() {
            int found = id;
            if (found == 0) {
                found = last + 1;
                last = found;
                id = id == 0 ? found : id + 1;
                found = id;
            }
            return found;
        }

        /** Logs. */
        @Actor
        public void first(II_Result result) {
            result.r1 = id();
        }

        /** Logs the same. */
        @Actor
        public void second(II_Result result) {
            result.r2 = id();
        }
    }

    /** While a table grows for one statement, another that is in it already keeps its number. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "as before")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost while the table grew")
    @State
    public static class GrowingTable {
        private final Sites sites = new Sites(_ -> {});
        private final SiteTable table = new SiteTable(sites, Level.INFO, "a");

        /** Fills the table to where the next one lets it grow. */
        public GrowingTable() {
            table.register("m");
            table.register("n");
            table.register("o");
            table.register("p");
        }

        /** Lets it grow. */
        @Actor
        public void grow() {
            table.register("q");
        }

        /** Logs by a statement that is there. */
        @Actor
        public void log(I_Result result) {
            result.r1 = table.id("m");
        }
    }

    /** Broken twin: moves what it has within the array that others read. Must be found out. */
    @JCStressTest
    @JCStressMeta(GrowingTable.class)
    @State
    public static class BrokenGrowth {
        private final Site site = new Site(1, Level.INFO, "a", "m");
        private volatile @Nullable Site[] table = {site, null};

        /** Moves it. */
        @Actor
        public void grow() {
            @Nullable Site[] slots = table;
            slots[0] = null;
            table = slots;
            Thread.onSpinWait();
            slots[1] = site;
            table = slots;
        }

        /** Looks for it. */
        @Actor
        public void log(I_Result result) {
            @Nullable Site[] slots = table;
            for (Site each : slots) {
                if (each != null) {
                    result.r1 = each.id();
                    return;
                }
            }
        }
    }

    /** Who has seen a number, as the back end in a frame, finds its statement. */
    @JCStressTest
    @Outcome(
            id = {"0", "1"},
            expect = Expect.ACCEPTABLE,
            desc = "not there yet, or whole")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a statement without its text")
    @State
    public static class StatementSeen {
        private final Sites sites = new Sites(_ -> {});

        /** Logs for the first time. */
        @Actor
        public void log() {
            sites.register(Level.INFO, "a", "m");
        }

        /** Looks. */
        @Actor
        public void look(I_Result result) {
            Site site = sites.get(1);
            result.r1 = site == null ? 0 : site.message() == null ? -1 : site.id();
        }
    }

    /** Broken twin: shows the statement before it has its text. Must be found out. */
    @JCStressTest
    @JCStressMeta(StatementSeen.class)
    @State
    public static class BrokenSeen {
        private volatile @Nullable String @Nullable [] byId;

        /** Shows it, and then fills it in. */
        @Actor
        public void log() {
            @Nullable String[] shown = new String[1];
            byId = shown;
            Thread.onSpinWait();
            shown[0] = "m";
        }

        /** Looks. */
        @Actor
        public void look(I_Result result) {
            @Nullable String[] seen = byId;
            result.r1 = seen == null ? 0 : seen[0] == null ? -1 : 1;
        }
    }
}
