package io.slipstream.sim.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.sim.example.Shop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final long LIVES = Long.getLong("io.slipstream.sim.lives", 40);
    private static final long SECOND = 1_000_000_000;

    private static Simulation<Shop> shops() {
        return Simulation.of(Shop::new, Shop::random)
                .topics(Shop.NEWS)
                .upgrade(() -> new Shop(1))
                .invariant(Shop::requireBalance);
    }

    @Test
    void findsNothingInAServiceThatKeepsItsPromises() {
        SimulationReport report = shops().threads(2).runs(LIVES);
        assertThat(report.lives()).isEqualTo(LIVES);
        assertThat(report.replied()).isPositive();
        assertThat(report.neverStruck()).isEmpty();
        assertThat(report.faultPoints()).containsOnlyKeys(FaultPoint.values());
        // Where commands are as short as here these take some hundred lives; lives with longer ones are below.
        assertThat(report.neverHeld())
                .isSubsetOf(Sometimes.BATCH_IN_TWO_SEGMENTS.toString(), Sometimes.TORN_TAIL.toString());
    }

    @Test
    void leadsToTheSameHistoriesWhenSeveralGoOnAtOnce() {
        Simulation<Shop> few = shops().disastersFor(Duration.ofSeconds(3)).seed(21);
        assertThat(few.threads(2).runs(4).hash())
                .isEqualTo(few.threads(1).runs(4).hash());
    }

    @Test
    void leadsToTheSameHistoryFromTheSameSeed() {
        Simulation<Shop> few = shops().disastersFor(Duration.ofSeconds(3)).seed(7);
        long first = few.runs(4).hash();
        assertThat(few.runs(4).hash()).isEqualTo(first);
        assertThat(few.seed(8).runs(4).hash()).isNotEqualTo(first);
    }

    @Test
    void printsTheSeedAndTheFewestDisastersThatLeadThere() {
        Simulation<Shop> forgetful = Simulation.of(
                () -> new Shop() {
                    private long commands;

                    @Override
                    public void onCommand(Request command, Output output) {
                        super.onCommand(command, output);
                        commands++;
                    }

                    @Override
                    public long stateHash() {
                        return super.stateHash() + commands;
                    }

                    @Override
                    public String name() {
                        return "shop";
                    }
                },
                Shop::random);
        SimulationFailure failure = catchThrowableOfType(SimulationFailure.class, () -> forgetful.runs(20));
        assertThat(failure).hasMessageContaining("seed " + failure.seed());
        assertThat(failure.disasters()).hasSizeLessThan(4);
        List<String> trace = new ArrayList<>();
        assertThat(catchThrowableOfType(SimulationFailure.class, () -> forgetful.replay(failure, trace::add)))
                .hasMessageContaining(failure.finding());
        assertThat(trace).anyMatch(line -> line.contains("offers"));
    }

    @Test
    void tellsWhatShouldHappenSometimesAndNeverDid() {
        Simulation<Shop> shops = shops().sometimes("there is a shop", shop -> shop.stateHash() != 0)
                .sometimes("pigs fly", shop -> false);
        SimulationReport report = shops.seed(9).runs(4);
        assertThat(report.sometimes()).containsEntry("there is a shop", 4L).containsEntry("pigs fly", 0L);
        assertThat(report.neverHeld()).contains("pigs fly").doesNotContain("there is a shop");
        assertThat(report).asString().contains("never held: [", "pigs fly");
        assertThatThrownBy(() -> shops.sometimes("pigs fly", shop -> true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pigs fly");
    }

    @Test
    void livesInWhichNobodyIsKilledAreNoProof() {
        List<Throwable> refusals = new ArrayList<>();
        for (int seed = 1; seed <= 10; seed++) {
            Simulation<Shop> one = shops().commands(5).seed(seed);
            Throwable refusal = catchThrowable(() -> one.runs(1));
            if (refusal != null) {
                refusals.add(refusal);
            }
        }
        assertThat(refusals).isNotEmpty().allMatch(each -> each.getMessage().contains("never killed"));
    }

    /** Whoever has three commands writes nothing any more when the kill waits for a write. */
    @Test
    void aKillThatDoesNotComeIsNotCounted() {
        SimulationReport report = Simulation.of(Shop::new, random -> new byte[] {0, 0})
                .commands(3)
                .disasters(new Disaster(9_900_000_000L, Disaster.Kind.KILL_IN_WRITE, 29))
                .runs(20);
        assertThat(report.replied()).isPositive();
        assertThat(report.deaths()).isLessThan(20);
    }

    @Test
    void whatTheUserThrowsHasItsSeed() {
        IllegalStateException thrown = new IllegalStateException("nothing to say");
        SimulationFailure failure = catchThrowableOfType(
                SimulationFailure.class,
                () -> Simulation.of(Shop::new, random -> {
                            throw thrown;
                        })
                        .seed(11)
                        .runs(1));
        assertThat(failure.seed()).isEqualTo(11);
        assertThat(failure).hasMessageContaining("nothing to say").hasCause(thrown);
    }

    @Test
    void aMachineThatDependsOnMoreThanItsInputIsCalledThat() {
        AtomicLong lives = new AtomicLong();
        Simulation<Shop> moody = Simulation.of(
                () -> new Shop() {
                    private final long mood = lives.getAndIncrement();

                    @Override
                    public void onCommand(Request command, Output output) {
                        output.reply(new byte[] {(byte) mood});
                    }

                    @Override
                    public String name() {
                        return "shop";
                    }
                },
                Shop::random);
        assertThat(catchThrowableOfType(SimulationFailure.class, () -> moody.runs(20)))
                .hasMessageContaining("one seed gave two histories");
    }

    /** So that who leaves disasters out one after the other looks at the same life. */
    @Test
    void whatClientsSayDoesNotDependOnWhatGoesWrong() {
        assertThat(said(new Disaster(SECOND, Disaster.Kind.UPGRADE, 0))).isEqualTo(said());
    }

    private static List<String> said(Disaster... disasters) {
        List<String> said = new ArrayList<>();
        Simulation.of(Shop::new, random -> {
                    byte[] payload = Shop.random(random);
                    said.add(Arrays.toString(payload));
                    return payload;
                })
                .commands(50)
                .disasters(disasters)
                .seed(3)
                .runs(1);
        // Who says it first may depend on it.
        return said.stream().sorted().toList();
    }

    @Test
    void moreClientsThanTheServiceHadConnectionsAreNoFinding() {
        shops().clients(100).commands(5).disasters().runs(2);
    }

    @Test
    void livesInWhichNobodyIsAnsweredAreNoProof() {
        assertThatThrownBy(() -> Simulation.of(Shop::new, random -> new byte[] {5, 0})
                        .commands(5)
                        .runs(3))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no command was answered");
    }

    /** It used to wait for ever: a machine that has lost its power does not say so. */
    @Test
    void clientsNoticeThatTheMachineOfTheirServiceIsGone() {
        shops().disasters(new Disaster(SECOND / 3, Disaster.Kind.POWER_CUT, 0)).runs(10);
    }

    /** A crash that waited for a write used to strike after the last disaster, and feeds had no time to go on. */
    @Test
    @Tag("long")
    void nothingFailsAfterTheLastDisaster() {
        Simulation.of(Shop::new, Shop::random)
                .topics(Shop.NEWS)
                .commands(1_000)
                .disasters(new Disaster(9_413_894_000L, Disaster.Kind.POWER_CUT_IN_WRITE, 61))
                .runs(20);
    }

    /** The log was ahead of a clock that went back, so timers fired when the clients had left: nobody missed that. */
    @Test
    @Tag("long")
    void itemsThatCameAfterTheClientsHadLeftAreNotMissed() {
        Simulation.of(Shop::new, Shop::random)
                .topics(Shop.NEWS)
                .commands(1_000)
                .disasters(
                        new Disaster(1_711_786_000L, Disaster.Kind.CLOCK_JUMP, 764),
                        new Disaster(2_117_372_000L, Disaster.Kind.RESTART, 377))
                .runs(20);
    }

    /** The first of two copies on one connection found the log full, and the second one found room. */
    @Test
    void oneOfTwoCopiesMayBeRefused() {
        Simulation.of(Shop::new, Shop::random)
                .topics(Shop.NEWS)
                .upgrade(() -> new Shop(1))
                .clients(3)
                .invariant(Shop::requireBalance)
                .seed(1_321_188_197)
                .runs(6);
    }

    /** The answer to a resend put the client's place back, so that it heard an event again after a reconnect. */
    @Test
    void whoSendsAgainHearsNoEventAgain() {
        shops().run(701, new SimulationReport());
    }

    /** A check of the state used to be an entry of the log that was checked, too. */
    @Test
    void checksOfTheStateDoNotLeadToMoreOfThem() {
        SimulationReport report = shops().disasters(new Disaster(SECOND, Disaster.Kind.RESTART, 0))
                .commands(10)
                .runs(10);
        assertThat(report.lives()).isEqualTo(10);
    }

    @Test
    void whoReadsSlowlyGetsAllAndHoldsNobodyUp() {
        SimulationReport report = TwinLives.slowReaders().runs(4);
        assertThat(report.disasters()).containsKey(Disaster.Kind.SLOW_READER);
    }

    @Test
    void ofAClientTheConnectionCountsThatItHasMadeLast() {
        SimulationReport report = TwinLives.storms().runs(8);
        assertThat(report.disasters()).containsKey(Disaster.Kind.RECONNECT_STORM);
    }

    @Test
    void aServiceThatIsOftenOutOfMemoryLosesNothing() {
        SimulationReport report = TwinLives.rareWays().runs(4);
        assertThat(report.faultPoints()).containsKey(FaultPoint.NO_MEMORY);
    }

    @Test
    void batchesThatContinueInTheNextSegmentSurviveALossOfPower() {
        SimulationReport report = TwinLives.longLogs().runs(4);
        assertThat(report.disasters()).containsKey(Disaster.Kind.POWER_CUT_IN_WRITE);
        assertThat(report.neverHeld()).doesNotContain(Sometimes.BATCH_IN_TWO_SEGMENTS.toString());
    }

    @Test
    void aCommandThatLoopsIsToldOfAndSkipped() {
        SimulationReport report = shops().disasters(
                        new Disaster(SECOND, Disaster.Kind.LOOPING_COMMAND, 0),
                        new Disaster(2 * SECOND, Disaster.Kind.SLOW_COMMANDS, 900),
                        new Disaster(3 * SECOND, Disaster.Kind.VANISHED_CLIENT, 1))
                .runs(5);
        assertThat(report.disasters())
                .containsOnlyKeys(
                        Disaster.Kind.LOOPING_COMMAND, Disaster.Kind.SLOW_COMMANDS, Disaster.Kind.VANISHED_CLIENT);
    }

    /** The process that is to be upgraded has the older program until it has ended, and so has its snapshot. */
    @Test
    void aSnapshotThatIsTakenWhileTheServiceStopsIsNotOfTheNextVersion() {
        SimulationReport report = shops().disasters(
                        new Disaster(SECOND / 2, Disaster.Kind.SLOW_DISK, 999),
                        new Disaster(SECOND, Disaster.Kind.SNAPSHOT, 0),
                        new Disaster(SECOND + 1, Disaster.Kind.UPGRADE, 0))
                .commands(200)
                .runs(20);
        assertThat(report.lives()).isEqualTo(20);
    }
}
