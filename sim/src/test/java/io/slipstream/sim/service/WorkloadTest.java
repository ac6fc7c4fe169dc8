package io.slipstream.sim.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.slipstream.sim.example.Shop;
import io.slipstream.sim.workload.Answer;
import io.slipstream.sim.workload.Workload;
import io.slipstream.testkit.MutantTable;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkloadTest {
    private static final int LIVES = 40;
    private static final int FEW = 4;

    /** A bug that only shows when all is taken that is in a safe: then nothing is taken. */
    private static final class NeverEmpty extends Safes {
        @Override
        void keep(long safe, long balance) {
            if (balance > 0) {
                super.keep(safe, balance);
            }
        }
    }

    /** Another bug, which no command meets and no replay: from 100 on it shows one less than is there. */
    private static final class Liar extends Safes {
        @Override
        long shown(long balance) {
            return balance < 100 ? balance : balance - 1;
        }
    }

    /** Has a safe of its own, takes only what a reply has said is there, and knows what must be left. */
    private static final class Saver implements Workload {
        private long safe;
        private long balance;
        private long change;
        private boolean waits;
        private byte @Nullable [] question;

        @Override
        public byte @Nullable [] next(RandomGenerator random) {
            if (waits) {
                return null;
            }
            waits = true;
            if (safe == 0) {
                return Safes.command(Safes.OPEN, 0, 0);
            }
            if (balance == 0 || random.nextInt(3) == 0) {
                change = 1 + random.nextInt(100);
                return Safes.command(Safes.PUT, safe, change);
            }
            long some = random.nextBoolean() ? balance : 1 + random.nextLong(balance);
            change = -some;
            return Safes.command(Safes.TAKE, safe, some);
        }

        /** What is asked while nothing else is under way must be what was answered last. */
        @Override
        public byte @Nullable [] ask(RandomGenerator random) {
            if (waits || safe == 0) {
                return null;
            }
            waits = true;
            question = Safes.command(Safes.PUT, safe, 0);
            return question;
        }

        @Override
        public void onAnswer(byte[] said, Answer answer) {
            waits = false;
            if (said == question) {
                question = null;
                change = 0;
                if (answer.outcome() == Answer.Outcome.REPLIED) {
                    heard(ByteBuffer.wrap(answer.reply()).getLong());
                }
                return;
            }
            switch (answer.outcome()) {
                case REPLIED -> heard(ByteBuffer.wrap(answer.reply()).getLong());
                case REJECTED -> throw new AssertionError("it had only asked for what was there: " + answer.reason());
                case REFUSED -> change = 0;
                default -> leave();
            }
        }

        private void heard(long number) {
            if (safe == 0) {
                safe = number;
                return;
            }
            assertThat(number).as("what is in the safe").isEqualTo(balance + change);
            balance = number;
        }

        @Override
        public void onSession() {
            leave();
        }

        @Override
        public void onLoss() {
            leave();
        }

        /** What was under way may still change that safe. */
        private void leave() {
            safe = 0;
            balance = 0;
            change = 0;
            waits = false;
        }
    }

    private static byte[] anything(RandomGenerator random) {
        return Safes.command((byte) random.nextInt(3), random.nextLong(), random.nextLong(100));
    }

    @Test
    void findsNothingInAServiceThatIsRight() {
        SimulationReport report = Simulation.ofClients(Safes::new, number -> new Saver())
                .threads(2)
                .runs(LIVES);
        assertThat(report.replied()).isGreaterThan(LIVES);
        assertThat(report.sometimes().get(Sometimes.LOST_ENTRIES.toString())).isPositive();
    }

    @Test
    void aClientWithAModelFindsWhatNoIndependentCommandsFind() {
        assertThat(Simulation.<Safes>of(NeverEmpty::new, WorkloadTest::anything)
                        .threads(2)
                        .runs(LIVES)
                        .replied())
                .isPositive();
        SimulationFailure failure = catchThrowableOfType(
                SimulationFailure.class,
                () -> Simulation.<Safes>ofClients(NeverEmpty::new, number -> new Saver())
                        .runs(LIVES));
        String mutant = "never empties a safe";
        System.out.println("mutant that " + mutant + ": found with seed " + failure.seed());
        assertThat(failure.finding()).contains("client-", "has heard what cannot be", "what is in the safe");
        assertThat(failure.disasters()).isEmpty();
        assertThat(failure.seed())
                .isLessThanOrEqualTo(MutantTable.in("docs/simulation.md").seeds(mutant));
    }

    @Test
    void aClientThatAsksFindsAnAnswerThatIsNotTheState() {
        SimulationFailure failure = catchThrowableOfType(
                SimulationFailure.class,
                () -> Simulation.<Safes>ofClients(Liar::new, number -> new Saver())
                        .runs(LIVES));
        String mutant = "shows less than is there";
        System.out.println("mutant that " + mutant + ": found with seed " + failure.seed());
        assertThat(failure.finding()).contains("has heard what cannot be", "what is in the safe");
        assertThat(failure.seed())
                .isLessThanOrEqualTo(MutantTable.in("docs/simulation.md").seeds(mutant));
    }

    @Test
    void aWorkloadHearsAllThatAClientMayHear() {
        Map<String, Integer> heard = new ConcurrentHashMap<>();
        Simulation.ofClients(Shop::new, number -> new Listener(heard))
                .topics(Shop.NEWS)
                .commands(300)
                .runs(LIVES);
        assertThat(heard)
                .containsKeys(
                        "REPLIED", "REJECTED", "FAILED", "REFUSED", "UNKNOWN", "event", "missed events", "snapshot")
                .containsKeys("item", "session", "loss");
        assertThat(heard).containsEntry("end", 3 * LIVES).containsEntry("answers", heard.get("commands"));
    }

    /** Counts what it hears. */
    private record Listener(Map<String, Integer> heard) implements Workload {
        private void hears(String what) {
            heard.merge(what, 1, Integer::sum);
        }

        @Override
        public byte[] next(RandomGenerator random) {
            hears("commands");
            return Shop.random(random);
        }

        @Override
        public void onAnswer(byte[] command, Answer answer) {
            hears("answers");
            hears(answer.outcome().name());
        }

        @Override
        public void onEvent(byte[] event) {
            hears("event");
        }

        @Override
        public void onMissedEvents() {
            hears("missed events");
        }

        @Override
        public void onSnapshot(long topic) {
            hears("snapshot");
        }

        @Override
        public void onItem(long topic, byte[] item) {
            hears("item");
        }

        @Override
        public void onSession() {
            hears("session");
        }

        @Override
        public void onLoss() {
            hears("loss");
        }

        @Override
        public void onEnd() {
            hears("end");
        }
    }

    @Test
    void clientsOfALifeHaveInCommonWhatItsSeedDecides() {
        Map<Long, Integer> clients = new ConcurrentHashMap<>();
        for (int round = 1; round <= 2; round++) {
            Simulation.ofLives(Safes::new, random -> {
                        long common = random.nextLong();
                        return number -> {
                            clients.merge(common, 1, Integer::sum);
                            return new Saver();
                        };
                    })
                    .runs(FEW);
            assertThat(clients).hasSize(FEW);
        }
        assertThat(clients.values()).containsOnly(2 * 3);
    }

    @Test
    void requiresAWorkloadForEachClient() {
        assertThatThrownBy(() ->
                        Simulation.ofClients(Safes::new, WorkloadTest::nobody).runs(1))
                .hasMessageContaining("workload");
    }

    @SuppressWarnings("NullAway")
    private static Workload nobody(int number) {
        return null;
    }
}
