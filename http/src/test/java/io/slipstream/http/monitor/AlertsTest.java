package io.slipstream.http.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.config.MemberView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AlertsTest {
    private static final Map<String, Long> QUIET = Map.of("commands/refused", 0L);

    private final Alerts alerts = new Alerts();

    @Test
    void eachHasItsBeginItsEndAndItsSeverity() {
        alerts.look(good(1_000, QUIET));
        alerts.look(down(2_000));
        alerts.look(down(6_000));
        assertThat(alerts.describe())
                .containsExactly(Map.of(
                        "begin",
                        2_000L,
                        "severity",
                        "critical",
                        "text",
                        "The service does not answer: connection refused"));
        alerts.look(good(10_000, QUIET));
        alerts.look(good(12_000, QUIET));
        assertThat(alerts.describe())
                .containsExactly(Map.of(
                        "begin",
                        2_000L,
                        "end",
                        6_000L,
                        "severity",
                        "critical",
                        "text",
                        "The service does not answer: connection refused"));
    }

    @Test
    void oneThatComesBackAtOnceIsTheSameOne() {
        alerts.look(down(2_000));
        alerts.look(good(3_000, QUIET));
        alerts.look(down(4_000));
        assertThat(alerts.describe()).hasSize(1);
        alerts.look(good(8_000, QUIET));
        alerts.look(good(12_000, QUIET));
        alerts.look(down(13_000));
        assertThat(alerts.describe()).hasSize(2).first().extracting("begin").isEqualTo(13_000L);
    }

    @Test
    void tellsOfCrowdsRefusalsAndStarts() {
        alerts.look(good(0, Map.of()));
        Map<String, Long> crowded = Map.of(
                "input ring/capacity", 100L,
                "input ring/depth", 70L,
                "waiting commands/capacity", 10L,
                "waiting commands/depth", 9L,
                "commands/refused", 1L,
                "commands/denied", 1L);
        alerts.look(new Signs(250, true, true, "", true, 0.9, 10, 6, List.of(), crowded));
        assertThat(alerts.describe())
                .extracting("severity")
                .containsExactly("info", "warning", "warning", "warning", "warning", "warning", "critical");
        alerts.look(new Signs(500, true, true, "", true, 0.9, 9, 6, List.of(), crowded));
        assertThat(alerts.describe())
                .hasSize(8)
                .first()
                .extracting("text")
                .asString()
                .contains("lost log entries");
    }

    @Test
    void tellsOfMembersThatAreAwayOrElsewhere() {
        alerts.look(
                new Signs(0, true, true, "", false, 0, 10, 5, List.of(member(0, true, 1), member(1, false, 1)), QUIET));
        assertThat(alerts.describe()).isEmpty();
        alerts.look(new Signs(
                250,
                true,
                true,
                "",
                false,
                0,
                10,
                5,
                List.of(MemberView.silent(0, "a:1", "refused"), member(1, false, 1), member(2, false, 2)),
                QUIET));
        assertThat(alerts.describe())
                .extracting("text")
                .containsExactly(
                        "No member that answers leads.",
                        "Members 1 and 2 have different states after the same entry.",
                        "Member 0 at a:1 does not answer.");
    }

    private static MemberView member(int id, boolean leads, long hash) {
        return new MemberView(id, "a:" + id, "", leads, true, 10, hash, 1_000, 0, 0, "-");
    }

    @Test
    void oneCommandIsNoCrowdAndAStartIsNoOutage() {
        alerts.look(new Signs(0, false, false, "starting", false, 0, 0, 0, List.of(), Map.of()));
        alerts.look(good(250, Map.of("waiting commands/capacity", 1L, "waiting commands/depth", 1L)));
        assertThat(alerts.describe()).extracting("severity").containsExactly("info");
    }

    /** As after SIGSTOP and SIGCONT of a process that has service and gateway. */
    @Test
    void tellsThatNobodyHasLooked() {
        alerts.look(good(1_000, QUIET));
        alerts.look(good(11_000, QUIET));
        alerts.look(good(11_250, QUIET));
        assertThat(alerts.describe())
                .containsExactly(Map.of(
                        "begin",
                        1_000L,
                        "end",
                        11_000L,
                        "severity",
                        "warning",
                        "text",
                        "Nothing was seen for 10 s: the process or its machine stood still, or the clock was set."));
    }

    @Test
    void keepsTheNewestOnes() {
        for (int i = 0; i <= Alerts.MOST; i++) {
            alerts.look(down(i * 12_000L));
            alerts.look(good(i * 12_000L + 4_000, QUIET));
            alerts.look(good(i * 12_000L + 8_000, QUIET));
        }
        assertThat(alerts.describe())
                .hasSize(Alerts.MOST)
                .first()
                .extracting("begin")
                .isEqualTo(Alerts.MOST * 12_000L);
    }

    @Test
    void theLongestStallsSayWhatRanMeanwhile() {
        Stalls stalls = new Stalls();
        stalls.look(good(0, Map.of("thread logic/longest stall", 2_000_000L)));
        assertThat(stalls.describe()).as("it was before the gateway").isEmpty();
        stalls.look(good(
                250,
                Map.of(
                        "thread logic/longest stall", 30_000_000L,
                        "log/longest commit", 29_000_000L,
                        "snapshots/begun", 1L,
                        "commands/processed", 12L)));
        assertThat(stalls.describe())
                .containsExactly(Map.of(
                        "at",
                        250L,
                        "thread",
                        "logic",
                        "nanos",
                        30_000_000L,
                        "meanwhile",
                        "a commit of 29 ms, a snapshot, 12 commands"));
        for (int i = 2; i < 30; i++) {
            stalls.look(good(i * 250L, Map.of("thread logic/longest stall", 30_000_000L + i)));
        }
        List<Object> longest = stalls.describe();
        assertThat(longest).hasSize(Stalls.MOST).first().extracting("nanos").isEqualTo(30_000_029L);
        assertThat(longest).first().extracting("meanwhile").isEqualTo("nothing of the service");
    }

    private static Signs good(long millis, Map<String, Long> counters) {
        return new Signs(millis, true, true, "", false, 0, 10, 5, List.of(), counters);
    }

    private static Signs down(long millis) {
        return new Signs(millis, true, false, "connection refused", false, 0, 10, 5, List.of(), QUIET);
    }
}
