package io.slipstream.cluster;

import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Records histories of a register under faults, for a checker that is not ours; see {@code cluster/proofs/run}. */
@EnabledIfSystemProperty(named = "slipstream.histories", matches = ".+")
class HistoryTest {
    private static final Path FOLDER = Path.of(System.getProperty("slipstream.histories", "target/histories"));
    private static final int ROUNDS = Integer.getInteger("slipstream.rounds", 3);
    private static final int CLIENTS = 5;

    private final ConcurrentLinkedQueue<String> history = new ConcurrentLinkedQueue<>();
    private final AtomicLong values = new AtomicLong();
    private volatile boolean stopped;

    @Test
    void recordsHistoriesUnderKillsPausesAndPartitions() throws Exception {
        Files.createDirectories(FOLDER);
        for (int round = 0; round < ROUNDS; round++) {
            record("cluster-" + round, round, false);
        }
        record("broken-twin", 0, true);
    }

    private void record(String name, int seed, boolean stale) throws Exception {
        history.clear();
        stopped = false;
        ConcurrentLinkedQueue<Register> machines = new ConcurrentLinkedQueue<>();
        try (Grid grid = Grid.of(3, () -> {
            Register machine = new Register();
            machines.add(machine);
            return machine;
        })) {
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                clients.add(Thread.ofPlatform().start(() -> run(grid, number, stale ? machines : null)));
            }
            if (stale) {
                grid.slow((grid.awaitLeader() + 1) % 3, Duration.ofMillis(1));
                Thread.sleep(2_000);
            } else {
                disturb(grid, new Random(seed));
            }
            stopped = true;
            for (Thread client : clients) {
                client.join();
            }
        }
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(FOLDER.resolve(name)))) {
            history.forEach(out::println);
        }
    }

    private static void disturb(Grid grid, Random random) throws IOException, InterruptedException {
        for (int fault = 0; fault < 5; fault++) {
            Thread.sleep(300);
            int victim = random.nextInt(4) == 0 ? random.nextInt(3) : grid.awaitLeader();
            switch (random.nextInt(5)) {
                case 0 -> grid.kill(victim);
                case 1 -> grid.pause(victim);
                case 2 -> grid.mute(victim);
                case 3 -> grid.deafen(victim);
                default -> grid.cutOff(victim);
            }
            Thread.sleep(2_500);
            grid.heal();
            if (!grid.isRunning(victim)) {
                grid.start(victim);
            }
            grid.awaitLeader();
        }
    }

    private void run(Grid grid, int number, Iterable<Register> stale) {
        Random random = new Random(number);
        try (ServiceClient client = grid.client().timeout(Duration.ofSeconds(30)).connect()) {
            while (!stopped) {
                boolean write = random.nextInt(3) == 0;
                long value = write ? values.incrementAndGet() : 0;
                long call = System.nanoTime();
                long end = -1;
                try {
                    if (write) {
                        client.call(Sum.bytes(value));
                    } else if (stale != null) {
                        for (Register register : stale) {
                            value = register.staleValue();
                            if (random.nextBoolean()) {
                                break;
                            }
                        }
                    } else {
                        value = Sum.number(client.query(new byte[0]).payload());
                    }
                    end = System.nanoTime();
                } catch (BusyException e) {
                    continue;
                } catch (ServiceException e) {
                    // Its outcome is unknown.
                }
                history.add(number + (write ? " w " : " r ") + value + " " + call + " " + end);
                Thread.sleep(5);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
