package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.Report;
import io.slipstream.http.config.MemberView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/** Asks each member of a cluster once a second how it is, so that one that is silent keeps no other waiting. */
final class MemberWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ControlClient client;
    private final AtomicReferenceArray<MemberView> views;
    private final List<Thread> askers;

    /** Begins to ask. */
    MemberWatch(Members members, ControlClient client) {
        this.client = client;
        this.views = new AtomicReferenceArray<>(members.size());
        for (int i = 0; i < members.size(); i++) {
            views.set(i, MemberView.silent(i, address(members.get(i)), "it was not asked yet"));
        }
        this.askers = members.all().stream()
                .map(member ->
                        Thread.ofVirtual().name("member-watch-" + member.id()).start(() -> follow(member)))
                .toList();
    }

    /** Returns how the members were when they were asked last. Any thread. */
    List<MemberView> views() {
        return IntStream.range(0, views.length()).mapToObj(views::get).toList();
    }

    @Override
    public void close() {
        askers.forEach(Thread::interrupt);
    }

    private void follow(MemberAddress member) {
        try {
            while (true) {
                views.set(member.id(), look(member));
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            // Nobody looks any more.
        }
    }

    private MemberView look(MemberAddress member) {
        try {
            Report report = client.status(member);
            return new MemberView(
                    member.id(),
                    address(member),
                    "",
                    report.leads(),
                    report.ready(),
                    report.sequence(),
                    report.stateHash(),
                    report.logBytes(),
                    report.snapshots(),
                    report.version(),
                    report.skips());
        } catch (IOException | IllegalArgumentException e) {
            return MemberView.silent(member.id(), address(member), String.valueOf(e.getMessage()));
        }
    }

    private static String address(MemberAddress member) {
        return member.host() + ":" + member.controlPort();
    }
}
