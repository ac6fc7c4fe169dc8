package io.slipstream.benchmarks.http;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import java.util.ArrayList;
import java.util.List;

/** A service behind HTTP, under {@code wrk}; nothing is measured where that is not installed. */
public final class HttpSuite implements Suite {
    private static final Unit RATE = Unit.throughput("requests/s");

    @Override
    public String name() {
        return "http";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Plan plan = Plan.of(quick);
        int seconds = quick ? 3 : 10;
        List<Comparison> all = new ArrayList<>();
        all.add(new Comparison(
                "native commands, dashboard open",
                Unit.throughput("commands/s"),
                "nobody looks",
                0.98,
                plan,
                () -> new DashboardContest(seconds)));
        if (!Wrk.isInstalled()) {
            System.err.println("http: wrk is not installed; only the dashboard is measured");
            return all;
        }
        all.add(new Comparison("POST, PROCESS", RATE, "Jetty 12.1, echo", 0.8, plan, () -> new EchoContest(seconds)));
        all.add(new Comparison(
                "POST, PROCESS, shared memory", RATE, "own TCP", null, plan, () -> SitesContest.ways(seconds)));
        all.add(new Comparison("POST, SYNC", RATE, "own PROCESS", null, plan, () -> SitesContest.levels(seconds)));
        all.add(new Comparison("3 x load, answered", RATE, "own peak", 0.9, plan, () -> new OverloadContest(seconds)));
        if (PostgresServer.isInstalled()) {
            all.add(new Comparison(
                    "POST, SYNC", RATE, "Helidon 4.5, PostgreSQL 15", 10.0, plan, () -> new StackContest(seconds)));
        } else {
            System.err.println("http: PostgreSQL is not installed and not measured");
        }
        return all;
    }
}
