package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.grid.Grid;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Records histories under faults, of a register, and of a key of the key-value store by Redis clients, and lets a
 * checker that is not ours decide whether they are linearizable: Porcupine, see {@code cluster/proofs/linearizability}.
 *
 * <p>Needs Go. {@code etc/prove histories} runs it; {@code -Dslipstream.rounds=20} makes it long. The histories stay in
 * {@code target/histories}.
 */
@Tag("long")
class HistoryTest {
    private static final Path FOLDER = Path.of("target", "histories").toAbsolutePath();
    private static final Path CHECKER = FOLDER.resolve("check");
    private static final int ROUNDS = Integer.getInteger("slipstream.rounds", 1);
    private static final int CLIENTS = 5;
    private static final int NOT_LINEARIZABLE = 1;

    private final ConcurrentLinkedQueue<String> history = new ConcurrentLinkedQueue<>();
    private final AtomicLong values = new AtomicLong();
    private volatile boolean stopped;

    @BeforeAll
    static void buildTheChecker() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Process go;
        try {
            go = new ProcessBuilder("go", "build", "-o", CHECKER.toString(), ".")
                    .directory(Path.of("proofs", "linearizability").toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            Assumptions.abort("Go is not installed, so nobody can judge the histories");
            throw new AssertionError("not reached", e);
        }
        String said = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(go.waitFor()).as(said).isZero();
    }

    @Test
    void aRegisterIsLinearizableUnderKillsPausesAndPartitions() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            recordRegister("register-" + round, round);
            assertJudged("register-" + round, 0);
        }
    }

    @Test
    void aKeyOfTheKeyValueStoreIsLinearizableUnderKillsPausesAndPartitions() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            recordKeyValue("keyvalue-" + round, round);
            assertJudged("keyvalue-" + round, 0);
        }
    }

    @Test
    void theCheckerFindsATwinThatReadsFromAnyMemberWithoutTheLog() throws Exception {
        recordBrokenTwin("broken-twin");
        assertJudged("broken-twin", NOT_LINEARIZABLE);
    }

    private static void assertJudged(String name, int verdict) throws IOException, InterruptedException {
        Path file = FOLDER.resolve(name);
        try (Stream<String> lines = Files.lines(file)) {
            assertThat(lines.filter(line -> !line.endsWith(" -1")).count())
                    .as("operations with an outcome in " + file)
                    .isGreaterThan(100);
        }
        Process checker = new ProcessBuilder(CHECKER.toString())
                .redirectInput(file.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(checker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(name + ": " + said);
        assertThat(checker.waitFor()).as("%s, of %s", said, file).isEqualTo(verdict);
    }

    private void recordRegister(String name, int seed) throws Exception {
        try (Grid grid = Grid.of(3, Register::new)) {
            record(name, grid, seed, () -> registerOf(grid, null));
        }
    }

    private void recordKeyValue(String name, int seed) throws Exception {
        List<RespProtocol> protocols =
                IntStream.range(0, 3).mapToObj(_ -> new RespProtocol()).toList();
        try (Grid grid = Grid.of(
                3,
                KeyValueStore::new,
                config -> config.withService(config.service()
                        .withProtocol(protocols.get(config.id()), new InetSocketAddress("127.0.0.1", 0))))) {
            record(
                    name,
                    grid,
                    seed,
                    () -> new RespRegister(() -> {
                        int id = ThreadLocalRandom.current().nextInt(3);
                        return grid.member(id).port(protocols.get(id));
                    }));
        }
    }

    private void recordBrokenTwin(String name) throws Exception {
        ConcurrentLinkedQueue<Register> machines = new ConcurrentLinkedQueue<>();
        try (Grid grid = Grid.of(3, () -> {
            Register machine = new Register();
            machines.add(machine);
            return machine;
        })) {
            record(name, grid, -1, () -> registerOf(grid, machines));
        }
    }

    private void record(String name, Grid grid, int seed, Callable<? extends Access> accesses) throws Exception {
        history.clear();
        stopped = false;
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                Access access = accesses.call();
                clients.add(Await.inBackground("client-" + i, () -> run(access, number)));
            }
            if (seed < 0) {
                grid.slow((grid.awaitLeader() + 1) % 3, Duration.ofMillis(1));
                Thread.sleep(2_000);
            } else {
                disturb(grid, new Random(seed));
            }
        } finally {
            stopped = true;
            for (CompletableFuture<Void> client : clients) {
                Await.done(client);
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

    private void run(Access access, int number) throws IOException, InterruptedException {
        Random random = new Random(number);
        try (access) {
            while (!stopped) {
                boolean write = random.nextInt(3) == 0;
                long value = write ? values.incrementAndGet() : 0;
                long call = System.nanoTime();
                long end = -1;
                try {
                    if (write) {
                        access.write(value);
                    } else {
                        value = access.read();
                    }
                    end = System.nanoTime();
                } catch (BusyException e) {
                    continue;
                } catch (ServiceException | IOException | IllegalStateException e) {
                    // Its outcome is unknown.
                }
                history.add(number + (write ? " w " : " r ") + value + " " + call + " " + end);
                Thread.sleep(5);
            }
        }
    }

    private static Access registerOf(Grid grid, @Nullable Iterable<Register> stale) throws IOException {
        ServiceClient client = grid.client().timeout(Duration.ofSeconds(30)).connect();
        return new Access() {
            @Override
            public void write(long value) {
                client.call(Sum.bytes(value));
            }

            @Override
            public long read() {
                if (stale == null) {
                    return Sum.number(client.query(new byte[0]).payload());
                }
                long value = 0;
                for (Register register : stale) {
                    value = register.staleValue();
                    if (ThreadLocalRandom.current().nextBoolean()) {
                        break;
                    }
                }
                return value;
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    /** A register as a client sees it. */
    interface Access extends AutoCloseable {
        void write(long value) throws IOException;

        long read() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A key that a Redis client reads and writes; it goes to another member when its connection has ended. */
    private static final class RespRegister implements Access {
        private final IntSupplier ports;
        private @Nullable RespSocket socket;

        RespRegister(IntSupplier ports) {
            this.ports = ports;
        }

        @Override
        public void write(long value) throws IOException {
            call("SET register " + value);
        }

        @Override
        public long read() throws IOException {
            String answer = call("GET register");
            return answer.equals("$-1") ? 0 : Long.parseLong(answer);
        }

        private String call(String line) throws IOException {
            RespSocket open = socket;
            if (open == null) {
                open = new RespSocket(ports.getAsInt(), 5_000);
                socket = open;
            }
            try {
                String answer = open.call(line);
                if (answer.startsWith("-")) {
                    throw new IOException(answer);
                }
                return answer;
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            if (socket != null) {
                socket.close();
                socket = null;
            }
        }
    }
}
