package io.slipstream.cli.demo;

import io.slipstream.cli.demo.Verdicts.Outcome;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.Report;
import io.slipstream.exchange.client.Depth;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Three members, a load, SIGKILL of the leader and of a follower; nothing is lost, and nothing happens twice. */
final class ClusterDemo implements AutoCloseable {
    private static final int STREAMS = 4;
    private static final long STEP_MILLIS = 2_000;
    private static final long PATIENCE_MILLIS = 30_000;

    private final Path folder;
    private final PrintWriter out;
    private final Members members;
    private final Verdicts verdicts = new Verdicts();
    private final @Nullable MemberChild[] children;
    private final List<OrderStream> streams = new ArrayList<>();
    private long longest;

    ClusterDemo(Path folder, int port, PrintWriter out) {
        this.folder = folder;
        this.out = out;
        List<MemberAddress> addresses = new ArrayList<>();
        for (int id = 0; id < 3; id++) {
            addresses.add(new MemberAddress(id, "127.0.0.1", port + 10 * id));
        }
        this.members = new Members(addresses);
        this.children = new MemberChild[members.size()];
    }

    /** Runs it; returns whether all claims hold. */
    boolean run() throws IOException, InterruptedException {
        Path file = folder.resolve("members.properties");
        Files.createDirectories(folder);
        Files.writeString(
                file,
                members.all().stream()
                        .map(member -> "member." + member.id() + " = " + member.clients() + "\n")
                        .collect(Collectors.joining()));
        say("1. Three members of an exchange, a process each");
        for (int id = 0; id < members.size(); id++) {
            children[id] = MemberChild.launch(file, id, folder.resolve("member-" + id));
        }
        int leader = awaitLeader();
        out.printf(Locale.ROOT, "   member %d leads%n", leader);
        for (int number = 0; number < STREAMS; number++) {
            streams.add(new OrderStream(members.clients(), number));
        }
        goOn(String.format(
                Locale.ROOT, "2. %d clients place orders, each the next one when it has its answer", STREAMS));
        kill(leader, "3. SIGKILL of the leader");
        int next = awaitLeader();
        goOn("   member " + next + " leads now");
        verdicts.add(
                "without its leader, the cluster goes on",
                Outcome.of(longest() < 5_000_000_000L),
                "no client waits for 5 s",
                "the longest wait for an answer was %.2f s",
                longest() / 1e9);
        start(file, leader, "4. The former leader starts again, on what it had");
        int follower = (awaitLeader() + 1) % members.size();
        streams.forEach(OrderStream::takeLongest);
        kill(follower, "5. SIGKILL of a follower");
        goOn("   the others go on");
        start(file, follower, "6. The follower starts again");
        verify();
        say("Verdicts");
        verdicts.print(out);
        return !verdicts.isAny(Outcome.BROKEN);
    }

    private void verify() throws IOException, InterruptedException {
        for (OrderStream stream : streams) {
            stream.stop();
        }
        long accepted = streams.stream().mapToLong(OrderStream::accepted).sum();
        List<String> failures = streams.stream()
                .map(OrderStream::failure)
                .filter(failure -> failure != null)
                .map(String::valueOf)
                .toList();
        verdicts.add(
                "clients wait or are refused, and see no errors",
                Outcome.of(failures.isEmpty()),
                "no failure",
                "%,d orders accepted, %,d refused as busy, failures: %s",
                accepted,
                streams.stream().mapToLong(OrderStream::busy).sum(),
                failures.isEmpty() ? "none" : failures);
        long missing = streams.stream().mapToLong(OrderStream::missing).sum();
        verdicts.add(
                "no order that was accepted is lost",
                Outcome.of(missing == 0),
                "none missing",
                "%,d of %,d are not in the book",
                missing,
                accepted);
        Depth depth = streams.getFirst().client().depth(1, STREAMS);
        long resting = depth.bids().stream().mapToLong(Depth.Level::orders).sum();
        verdicts.add(
                "no order was placed twice",
                Outcome.of(resting == accepted),
                "as many rest as were accepted",
                "%,d rest, %,d were accepted",
                resting,
                accepted);
        List<Report> reports = sameReports();
        verdicts.add(
                "all members have the same state",
                Outcome.of(
                        reports.stream().mapToLong(Report::stateHash).distinct().count() == 1),
                "the same hash behind the same entry",
                "%s",
                reports.stream()
                        .map(report ->
                                String.format(Locale.ROOT, "entry %,d: %016x", report.sequence(), report.stateHash()))
                        .collect(Collectors.joining("; ")));
    }

    private List<Report> sameReports() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        List<Report> reports;
        do {
            Thread.sleep(50);
            reports = new ArrayList<>();
            for (MemberAddress member : members.all()) {
                reports.add(new ControlClient(null).status(member));
            }
        } while (reports.stream().mapToLong(Report::sequence).distinct().count() > 1
                && System.nanoTime() - deadline < 0);
        return reports;
    }

    private void kill(int member, String title) throws InterruptedException {
        MemberChild child = children[member];
        if (child != null) {
            say(title + ", member " + member + ", process " + child.pid());
            child.kill();
            children[member] = null;
        }
    }

    private void start(Path file, int member, String title) throws IOException, InterruptedException {
        say(title);
        children[member] = MemberChild.launch(file, member, folder.resolve("member-" + member));
        goOn("   member " + member + " takes part again");
    }

    private void goOn(String title) throws InterruptedException {
        say(title);
        long before = streams.stream().mapToLong(OrderStream::accepted).sum();
        Thread.sleep(STEP_MILLIS);
        long after = streams.stream().mapToLong(OrderStream::accepted).sum();
        out.printf(
                Locale.ROOT,
                "   %,d orders accepted in %.1f s, the longest took %.0f ms%n",
                after - before,
                STEP_MILLIS / 1e3,
                longest() / 1e6);
    }

    private long longest() {
        longest = Math.max(
                longest,
                streams.stream().mapToLong(OrderStream::takeLongest).max().orElse(0));
        return longest;
    }

    private int awaitLeader() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (System.nanoTime() - deadline < 0) {
            for (MemberAddress member : members.all()) {
                if (children[member.id()] != null && leads(member)) {
                    return member.id();
                }
            }
            Thread.sleep(20);
        }
        throw new IOException("there is no leader after " + PATIENCE_MILLIS / 1_000 + " s");
    }

    private static boolean leads(MemberAddress member) {
        try {
            return new ControlClient(null).status(member).leads();
        } catch (IOException e) {
            return false;
        }
    }

    private void say(String text) {
        out.println(text);
        out.flush();
    }

    @Override
    public void close() {
        streams.forEach(OrderStream::close);
        for (MemberChild child : children) {
            if (child != null) {
                child.close();
            }
        }
    }
}
