package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.Report;
import io.slipstream.cluster.grid.FreePorts;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three members, a process each, and a load; the leader is killed with SIGKILL, again and again. Whatever was answered
 * is at each member once, all have the same state, and no client has seen an error.
 *
 * <p>{@code -Dslipstream.kills=100} makes it long. It prints how long a killed leader was missed.
 */
@Timeout(7200)
class KillTest {
    private static final int KILLS = Integer.getInteger("slipstream.kills", 2);
    private static final int CLIENTS = 3;

    @TempDir
    private Path folder;

    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();
    private final Queue<Long> answered = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    @Test
    void losesNothingAndRepeatsNothingHoweverOftenTheLeaderIsKilled() throws Exception {
        Members members = FreePorts.members(3);
        Path file = folder.resolve("members.properties");
        Files.writeString(
                file,
                members.all().stream()
                        .map(member -> "member." + member.id() + " = " + member.clients() + "\n")
                        .collect(Collectors.joining()));
        @Nullable Process[] processes = new Process[members.size()];
        try {
            for (int id = 0; id < processes.length; id++) {
                processes[id] = MemberMain.start(file, id, folder(id));
            }
            List<Thread> clients = new ArrayList<>();
            for (int number = 0; number < CLIENTS; number++) {
                clients.add(Thread.ofPlatform().start(() -> load(members)));
            }
            long[] outages = new long[KILLS];
            for (int kill = 0; kill < KILLS; kill++) {
                awaitAnswers(50);
                int leader = awaitLeader(members);
                long begin = System.nanoTime();
                processes[leader].destroyForcibly().waitFor();
                // Those that were answered on their way, by the leader that was.
                awaitAnswers(CLIENTS + 1);
                outages[kill] = System.nanoTime() - begin;
                processes[leader] = MemberMain.start(file, leader, folder(leader));
                awaitAllFollow(members);
            }
            stopped = true;
            for (Thread client : clients) {
                client.join();
            }
            report(outages);
            assertThat(errors).isEmpty();
            assertSameState(members);
            for (MemberAddress member : members.all()) {
                assertAllOnce(member);
            }
        } finally {
            stopped = true;
            for (Process process : processes) {
                if (process != null) {
                    end(process);
                }
            }
            FreePorts.giveBack(members);
        }
    }

    private Path folder(int id) throws IOException {
        return Files.createDirectories(folder.resolve("member-" + id));
    }

    private void load(Members members) {
        try (ServiceClient client = ServiceClient.builder(members.clients())
                .timeout(Await.PATIENCE)
                .connectTimeout(Await.PATIENCE)
                .connect()) {
            while (!stopped) {
                long number = numbers.getAndIncrement();
                for (boolean done = false; !done; ) {
                    try {
                        client.call(Sum.bytes(number));
                        answered.add(number);
                        answers.incrementAndGet();
                        done = true;
                    } catch (BusyException e) {
                        LockSupport.parkNanos(1_000_000);
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            errors.add(e);
        }
    }

    private void awaitAnswers(int count) throws Exception {
        long before = answers.get();
        Await.until("there are answers, errors: " + errors, () -> answers.get() >= before + count || !errors.isEmpty());
    }

    private static List<Report> reports(Members members) {
        List<Report> reports = new ArrayList<>();
        for (MemberAddress member : members.all()) {
            try {
                reports.add(new ControlClient(null).status(member));
            } catch (IOException e) {
                // It does not run, or is about to join.
            }
        }
        return reports;
    }

    private static int awaitLeader(Members members) throws Exception {
        int[] leader = {-1};
        Await.until("there is a leader", () -> {
            leader[0] = reports(members).stream()
                    .filter(Report::leads)
                    .mapToInt(Report::member)
                    .findFirst()
                    .orElse(-1);
            return leader[0] >= 0;
        });
        return leader[0];
    }

    /** Two of three must not be behind when the next one is killed: then the cluster waits, and rightly so. */
    private static void awaitAllFollow(Members members) throws Exception {
        long most = reports(members).stream().mapToLong(Report::sequence).max().orElse(0);
        Await.until("all follow", () -> {
            List<Report> reports = reports(members);
            return reports.size() == members.size() && reports.stream().allMatch(report -> report.sequence() >= most);
        });
    }

    private void assertSameState(Members members) throws Exception {
        Await.until("all members are at one place with one state", () -> {
            List<Report> reports = reports(members);
            return reports.size() == members.size()
                    && reports.stream()
                                    .map(report -> report.sequence() + " " + report.stateHash())
                                    .distinct()
                                    .count()
                            == 1;
        });
    }

    private void assertAllOnce(MemberAddress member) throws IOException {
        try (ServiceClient client =
                ServiceClient.builder(member.clients()).timeout(Await.PATIENCE).connect()) {
            long[] words = new long[(int) (numbers.get() >>> 6) + 1 + Marks.WORDS_AT_ONCE];
            for (int from = 0; from < words.length - Marks.WORDS_AT_ONCE; from += Marks.WORDS_AT_ONCE) {
                ByteBuffer answer =
                        ByteBuffer.wrap(client.query(Sum.bytes(from)).payload());
                assertThat(answer.getLong())
                        .as("numbers marked twice at member " + member.id())
                        .isZero();
                answer.asLongBuffer().get(words, from, Marks.WORDS_AT_ONCE);
            }
            assertThat(answered)
                    .as("answered, and at member " + member.id())
                    .allMatch(number -> (words[(int) (number >>> 6)] >>> number & 1) == 1);
        }
    }

    private void report(long[] outages) {
        Arrays.sort(outages);
        System.out.printf(
                "%,d kills of the leader, %,d commands answered; from the kill to the next answers: median"
                        + " %.2f s, 99 %% %.2f s, longest %.2f s%n",
                KILLS,
                answers.get(),
                outages[KILLS / 2] / 1e9,
                outages[(KILLS * 99 - 1) / 100] / 1e9,
                outages[KILLS - 1] / 1e9);
    }

    private static void end(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(Await.PATIENCE)) {
            process.destroyForcibly().waitFor();
        }
    }
}
