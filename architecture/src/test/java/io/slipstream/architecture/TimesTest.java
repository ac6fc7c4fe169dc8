package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.slipstream.cluster.backup.Backups;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcObserver;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.Start;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.snapshot.SnapshotPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public method that takes a time takes the greatest one for ever, and the least one for none, or refuses it in
 * words: none of them overflows.
 */
class TimesTest {
    private static final Set<String> MODULES = Set.of("journal", "ipc", "log", "service", "http", "replica", "cluster");

    /** They are given times that were measured. */
    private static final Set<String> LISTENERS = Set.of("PushEvents.onLag", "ServiceEvents.onClock");

    /** For tests alone, and tried there. */
    private static final Set<String> OF_TESTS = Set.of("Grid.slow", "Grid.slowDisk", "TestService.advance");

    @TempDir
    static Path folder;

    private static final Map<String, Probe> PROBES = Map.ofEntries(
            Map.entry(
                    "BackupConfig.withSilence",
                    time -> BackupConfig.of(Small.ADDRESS, "a secret").withSilence(time)),
            Map.entry(
                    "Builder.connectTimeout",
                    time -> ServiceClient.builder("localhost", 1).connectTimeout(time)),
            Map.entry(
                    "Builder.reconnectTimeout",
                    time -> ServiceClient.builder("localhost", 1).reconnectTimeout(time)),
            Map.entry("Builder.timeout", TimesTest::aClientIsMade),
            Map.entry(
                    "ClusterConfig.withLeaderTimeout",
                    time -> Small.cluster(folder).withLeaderTimeout(time)),
            Map.entry(
                    "Backups.withPatience",
                    time -> new Backups(folder, Small.cluster(folder).members(), null).withPatience(time)),
            Map.entry("HttpConfig.withLookEvery", time -> HttpConfig.onPort(0).withLookEvery(time)),
            Map.entry("HttpLimits.withTimes", time -> HttpLimits.DEFAULT.withTimes(time, time, time)),
            Map.entry("IpcChannel.newObserver", TimesTest::anObserverIsMade),
            Map.entry("IpcPublisher.tryClaim", TimesTest::aPublisherClaims),
            Map.entry(
                    "JournalConfig.withMaxSegmentAge",
                    time -> JournalConfig.at(Durability.SYNC).withMaxSegmentAge(time)),
            Map.entry("LogSystem.flush", TimesTest::aLogIsFlushed),
            Map.entry("LogSystem.flushShared", LogSystem::flushShared),
            Map.entry("PushConfig.withAlert", time -> Small.push(folder).withAlert(1, time)),
            Map.entry(
                    "PushConfig.withConnectTimeout", time -> Small.push(folder).withConnectTimeout(time)),
            Map.entry("PushConfig.withSilence", time -> Small.push(folder).withSilence(time)),
            Map.entry(
                    "ServiceConfig.withDrainTime", time -> Small.service(folder).withDrainTime(time)),
            Map.entry(
                    "ServiceConfig.withMaxClockLeap",
                    time -> Small.service(folder).withMaxClockLeap(time)),
            Map.entry(
                    "ServiceConfig.withMaxResponseTime",
                    time -> Small.service(folder).withMaxResponseTime(time)),
            Map.entry(
                    "ServiceConfig.withSlowEntryAfter",
                    time -> Small.service(folder).withSlowEntryAfter(time)),
            Map.entry("SnapshotPolicy.withInterval", TimesTest::aPolicyHasAnInterval),
            Map.entry(
                    "SnapshotPolicy.withLogKept",
                    time -> SnapshotPolicy.everyLogBytes(1).withLogKept(time)));

    private interface Probe {
        void with(Duration time) throws Exception;
    }

    @Test
    void eachMethodThatTakesATimeIsTried() {
        Set<String> found = new TreeSet<>();
        for (String module : MODULES) {
            for (JavaClass type : Floors.classesOn(module)) {
                if (type.getModifiers().contains(JavaModifier.PUBLIC)
                        && SourceTree.exportedPackages().contains(type.getPackageName())) {
                    found.addAll(methodsThatTakeATime(type));
                }
            }
        }
        Set<String> known = new TreeSet<>(PROBES.keySet());
        known.addAll(LISTENERS);
        known.addAll(OF_TESTS);
        assertThat(found).as("add a probe").isEqualTo(known);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("probes")
    void noTimeOverflows(String method) throws Exception {
        for (Duration time : new Duration[] {
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofNanos(-1),
            Duration.ofNanos(Long.MAX_VALUE),
            Duration.ofMillis(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MIN_VALUE)
        }) {
            try {
                PROBES.get(method).with(time);
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).as("%s of %s", method, time).isNotBlank();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("probesThatNeedATime")
    void aTimeThatIsNullIsNamed(String method) {
        assertThatThrownBy(() -> PROBES.get(method).with(missing()))
                .isInstanceOf(NullPointerException.class)
                .message()
                .as("of the JVM it would name a method that nobody has called")
                .isNotBlank()
                .doesNotContain("Cannot invoke");
    }

    @SuppressWarnings("NullAway")
    private static Duration missing() {
        return null;
    }

    static Set<String> probes() {
        return new TreeSet<>(PROBES.keySet());
    }

    static Set<String> probesThatNeedATime() {
        Set<String> needing = probes();
        // Null stands for no greatest age there.
        needing.remove("JournalConfig.withMaxSegmentAge");
        return needing;
    }

    private static Set<String> methodsThatTakeATime(JavaClass type) {
        Set<String> found = new TreeSet<>();
        type.getMethods().stream()
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method ->
                        method.getRawParameterTypes().stream().anyMatch(each -> each.isEquivalentTo(Duration.class)))
                .forEach(method -> found.add(type.getSimpleName() + "." + method.getName()));
        return found;
    }

    private static void aClientIsMade(Duration time) throws Exception {
        try (ServiceClient client = ServiceClient.builder("localhost", 1)
                .timeout(time)
                .connectTimeout(time)
                .reconnectTimeout(time)
                .begin()) {
            assertThat(client).isNotNull();
        }
    }

    private static void anObserverIsMade(Duration time) throws Exception {
        try (IpcChannel channel = channel();
                IpcObserver observer = channel.newObserver("observer", Start.NEWEST, time)) {
            assertThat(observer.drops()).isZero();
        }
    }

    private static void aPublisherClaims(Duration time) throws Exception {
        try (IpcChannel channel = channel();
                IpcPublisher publisher = channel.newPublisher("publisher")) {
            long position = publisher.tryClaim(8, time);
            assertThat(position).isNotNegative();
            publisher.abort(position);
        }
    }

    private static IpcChannel channel() throws Exception {
        return IpcChannel.openOrCreate(folder.resolve("channel"), Small.channel());
    }

    private static void aPolicyHasAnInterval(Duration time) {
        SnapshotPolicy policy = SnapshotPolicy.everyLogBytes(1).withInterval(time);
        assertThat(policy.interval().toNanos()).isNotNegative();
    }

    private static void aLogIsFlushed(Duration time) throws Exception {
        try (LogSystem system = LogSystem.open(LogConfig.file(folder.resolve("app.log")))) {
            system.log("times").info("a message");
            system.flush(time);
        }
    }
}
