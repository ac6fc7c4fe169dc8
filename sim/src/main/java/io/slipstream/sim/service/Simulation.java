package io.slipstream.sim.service;

import io.slipstream.journal.storage.Storage;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.spi.Protocol;
import io.slipstream.sim.workload.Commands;
import io.slipstream.sim.workload.Guest;
import io.slipstream.sim.workload.Workload;
import io.slipstream.sim.world.Hash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lives of a service with its clients, each from a seed, on one thread: the real service, the real client, the real
 * journal, in a world where anything may go wrong.
 *
 * <pre>{@code
 * Simulation.of(Bank::new, BankCommands::random)
 *         .invariant(bank -> assertThat(bank.total()).isZero())
 *         .runs(1_000);
 * }</pre>
 *
 * <p>A promise that is broken ends it with a {@link SimulationFailure}: it has the seed, and the fewest disasters that
 * still led there. {@link #replay} lives that life again, with a trace.
 *
 * @param <M> the state machine
 */
public final class Simulation<M extends StateMachine> {
    private static final int MOST_DISASTERS = 12;
    private static final int MOST_APART = 3;

    /* One life of so many has a disk that loses something. */
    private static final int QUIET_LIVES = 3;
    private static final int MOST_ATTEMPTS = 100;
    private static final long NEXT_BLOW_NANOS = 1_000_000_000;
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]*[0-9][0-9a-f]*");

    private final Supplier<? extends M> machines;
    private final Function<? super RandomGenerator, ? extends IntFunction<? extends Workload>> workloads;
    private @Nullable Supplier<? extends M> upgraded;
    private Consumer<? super M> invariant = machine -> {};
    private final Map<String, Predicate<? super M>> sometimes = new LinkedHashMap<>();
    private UnaryOperator<ServiceConfig> configuration = chosen -> chosen;
    private UnaryOperator<Storage> disk = storage -> storage;
    private BiFunction<String, byte[], byte[]> network = (sender, bytes) -> bytes;
    private @Nullable Consumer<String> traceListener;
    private int clientCount = 3;
    private int commandCount = 100;
    private long[] topics = {};
    private long disasterNanos = Duration.ofSeconds(10).toNanos();
    private long firstSeed = 1;
    private int threads = 1;
    private @Nullable List<Disaster> chosen;
    private @Nullable Supplier<? extends Protocol> protocol;
    private int mostGuests;
    private Function<? super RandomGenerator, ? extends IntFunction<? extends Guest>> guests = life -> {
        throw new IllegalStateException("there are no guests");
    };

    private Simulation(
            Supplier<? extends M> machines,
            Function<? super RandomGenerator, ? extends IntFunction<? extends Workload>> workloads) {
        this.machines = Objects.requireNonNull(machines, "machines");
        this.workloads = Objects.requireNonNull(workloads, "workloads");
    }

    /**
     * Begins to describe simulations.
     *
     * @param machines makes a machine in its initial state
     * @param commands makes up what clients send
     */
    public static <M extends StateMachine> Simulation<M> of(Supplier<? extends M> machines, Commands commands) {
        Objects.requireNonNull(commands, "commands");
        return new Simulation<>(machines, life -> client -> commands::next);
    }

    /**
     * As {@link #of}, of clients that remember what they have heard.
     *
     * @param workloads makes a client for its number, from 1 on; called for each client of each life
     */
    public static <M extends StateMachine> Simulation<M> ofClients(
            Supplier<? extends M> machines, IntFunction<? extends Workload> workloads) {
        Objects.requireNonNull(workloads, "workloads");
        return new Simulation<>(machines, life -> workloads);
    }

    /**
     * As {@link #ofClients}, of clients that have something in common in each life.
     *
     * @param lives called for each life, with chance of its own; returns what makes the clients of that life
     */
    public static <M extends StateMachine> Simulation<M> ofLives(
            Supplier<? extends M> machines,
            Function<? super RandomGenerator, ? extends IntFunction<? extends Workload>> lives) {
        return new Simulation<>(machines, lives);
    }

    /** Sets how many clients there are; 3 by default. */
    public Simulation<M> clients(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("there is one client at least, not " + count);
        }
        clientCount = count;
        return this;
    }

    /**
     * Lets the service speak another protocol as well.
     *
     * @param newProtocol makes it, for each process of the service
     * @param most        how many there are in a life who speak it, at most
     * @param lives       called for each life, with the same chance as that of {@link #ofLives}; returns what makes
     *                    who speaks it, for its number from 1 on
     */
    public Simulation<M> guests(
            Supplier<? extends Protocol> newProtocol,
            int most,
            Function<? super RandomGenerator, ? extends IntFunction<? extends Guest>> lives) {
        if (most < 1) {
            throw new IllegalArgumentException("there may be one guest at least, not " + most);
        }
        protocol = Objects.requireNonNull(newProtocol, "newProtocol");
        mostGuests = most;
        guests = Objects.requireNonNull(lives, "lives");
        return this;
    }

    /** Sets how many commands each client offers at most; 100 by default. */
    public Simulation<M> commands(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a client offers one command at least, not " + count);
        }
        commandCount = count;
        return this;
    }

    /** Sets the topics that each client subscribes to; none by default. */
    public Simulation<M> topics(long... numbers) {
        topics = numbers.clone();
        return this;
    }

    /**
     * Lets the service be upgraded during some lives.
     *
     * @param newer makes a machine of a higher {@link StateMachine#version} that reads what the former one has saved
     */
    public Simulation<M> upgrade(Supplier<? extends M> newer) {
        upgraded = Objects.requireNonNull(newer, "newer");
        return this;
    }

    /** Sets what must hold of the machine behind each command and each timer; it throws if it does not. */
    public Simulation<M> invariant(Consumer<? super M> newInvariant) {
        invariant = Objects.requireNonNull(newInvariant, "invariant");
        return this;
    }

    /**
     * Names a state of the machine that some lives should come to: the report tells in how many it held behind a
     * command or a timer, and which never did.
     *
     * @throws IllegalArgumentException if there is one of that name
     */
    public Simulation<M> sometimes(String name, Predicate<? super M> condition) {
        if (sometimes.putIfAbsent(Objects.requireNonNull(name, "name"), Objects.requireNonNull(condition, "condition"))
                != null) {
            throw new IllegalArgumentException("there is a state called \"" + name + "\" already");
        }
        return this;
    }

    /** Sets for how long things go wrong in each life, in the time of the world; 10 seconds by default. */
    public Simulation<M> disastersFor(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("things go wrong for some time, not for " + time);
        }
        disasterNanos = time.toNanos();
        return this;
    }

    /** Lets these things go wrong in each life, and nothing else; by default they are chosen by its seed. */
    public Simulation<M> disasters(Disaster... disasters) {
        chosen = Stream.of(disasters).sorted().toList();
        return this;
    }

    /**
     * Lets so many lives go on at once, each on one thread; 1 by default. What was given to this object must take that:
     * machines, commands and invariants that share nothing do.
     */
    public Simulation<M> threads(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("there is one thread at least, not " + count);
        }
        threads = count;
        return this;
    }

    /** Sets the seed of the first life, 1 by default; each further one has the next. */
    public Simulation<M> seed(long seed) {
        firstSeed = seed;
        return this;
    }

    /** Hands each event of each life to {@code listener}, as a line of text. */
    public Simulation<M> trace(Consumer<String> listener) {
        traceListener = listener;
        return this;
    }

    /**
     * Changes how the service is set up: {@code change} gets what was chosen for a start by chance, and returns what
     * is to be instead. It is asked before each start; its chance must be none.
     *
     * @throws IllegalArgumentException if it sets what the simulation itself must: host, directory, address and
     *                                  protocols, shared memory, events, gate, warm-up, access, the longest leap of the
     *                                  clock or the journal's clock, or room for fewer clients than there are; later,
     *                                  if it does so in a life, as a {@link SimulationFailure}
     */
    public Simulation<M> configured(UnaryOperator<ServiceConfig> change) {
        Settings.requireAllowed(Objects.requireNonNull(change, "change"), 1);
        configuration = change;
        return this;
    }

    /** Puts something between the journal and its disk. */
    public Simulation<M> onDisk(UnaryOperator<Storage> twist) {
        disk = Objects.requireNonNull(twist, "twist");
        return this;
    }

    /** Changes what is written to sockets; {@code twist} gets the name of the sender and the bytes. */
    public Simulation<M> onNetwork(BiFunction<String, byte[], byte[]> twist) {
        network = Objects.requireNonNull(twist, "twist");
        return this;
    }

    /**
     * Lives so many lives.
     *
     * @return what has happened in them
     * @throws SimulationFailure if a promise was broken in one of them, or what was given to this object threw
     * @throws AssertionError    if they prove nothing: hardly anybody was answered, or, unless {@link #disasters} says
     *                           what goes wrong, the service was never killed or no snapshot was taken
     */
    public SimulationReport runs(long count) {
        SimulationReport report = new SimulationReport();
        AtomicLong next = new AtomicLong();
        ConcurrentSkipListMap<Long, Throwable> broken = new ConcurrentSkipListMap<>();
        Runnable lives = () -> {
            for (long life; broken.isEmpty() && (life = next.getAndIncrement()) < count; ) {
                try {
                    run(firstSeed + life, report);
                } catch (RuntimeException | Error e) {
                    broken.put(life, e);
                }
            }
        };
        List<Thread> others = IntStream.range(1, threads)
                .mapToObj(i -> Thread.ofPlatform().name("slipstream-sim-" + i).start(lives))
                .toList();
        lives.run();
        others.forEach(Simulation::join);
        if (!broken.isEmpty()) {
            throwUnchecked(broken.firstEntry().getValue());
        }
        report.requireProof(chosen == null);
        return report;
    }

    /** Lives the life of one seed, and adds what has happened to {@code report}. */
    public void run(long seed, SimulationReport report) {
        List<Disaster> disasters = disastersOf(seed);
        String finding = live(seed, disasters, report, traceListener);
        if (finding != null) {
            throw shrunk(seed, finding, disasters);
        }
    }

    /** Lives the life of one seed; returns what was found, with all that went wrong in that life, or null. */
    @Nullable
    String finding(long seed) {
        return live(seed, disastersOf(seed), new SimulationReport(), traceListener);
    }

    /** Lives a life again in which a promise was broken, with nothing but what led there. */
    public void replay(SimulationFailure failure, Consumer<String> trace) {
        String finding = live(failure.seed(), failure.disasters(), new SimulationReport(), trace);
        if (finding != null) {
            throw new SimulationFailure(failure.seed(), finding, failure.disasters());
        }
    }

    private @Nullable String live(
            long seed, List<Disaster> disasters, SimulationReport report, @Nullable Consumer<String> listener) {
        World<M> world = new World<>(this, seed, disasters, listener);
        String finding;
        Watchdog watchdog = new Watchdog(seed);
        try {
            finding = world.run();
        } catch (RuntimeException | Error e) {
            throw new SimulationFailure(seed, "the life ended with " + e, disasters, e);
        } finally {
            watchdog.end();
        }
        report.add(seed, world);
        return finding;
    }

    private static void join(Thread thread) {
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void throwUnchecked(Throwable broken) {
        if (broken instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) broken;
    }

    private List<Disaster> disastersOf(long seed) {
        if (chosen != null) {
            return chosen;
        }
        SplittableRandom random = new SplittableRandom(Hash.mix(seed));
        List<Disaster> disasters = new ArrayList<>();
        for (int i = random.nextInt(MOST_DISASTERS + 1); i > 0; i--) {
            Disaster next = Disaster.random(random, disasterNanos);
            // One blow seldom comes alone: some come while the service gets up from another.
            disasters.add(
                    disasters.isEmpty() || random.nextInt(3) > 0
                            ? next
                            : next.at(Math.min(
                                    disasterNanos - 1,
                                    disasters.getLast().atNanos() + random.nextLong(NEXT_BLOW_NANOS))));
        }
        SplittableRandom apart = new SplittableRandom(Hash.mix(~seed));
        for (int i = apart.nextInt(MOST_APART + 1); i > 0; i--) {
            disasters.add(Disaster.apart(apart, disasterNanos));
        }
        SplittableRandom quiet = new SplittableRandom(Hash.mix(Hash.mix(~seed)));
        if (quiet.nextInt(QUIET_LIVES) == 0) {
            disasters.add(Disaster.quiet(quiet, disasterNanos));
        }
        disasters.sort(null);
        return disasters;
    }

    /** Leaves out what need not go wrong for the same finding: first halves, then smaller and smaller parts. */
    private SimulationFailure shrunk(long seed, String finding, List<Disaster> disasters) {
        String difference = difference(seed, disasters);
        if (difference != null) {
            return new SimulationFailure(seed, finding + "\n  " + difference, disasters);
        }
        List<Disaster> needed = disasters;
        String last = finding;
        int attempts = 0;
        for (int part = Math.max(1, needed.size()); part > 0 && !needed.isEmpty(); part /= 2) {
            for (int at = 0; at < needed.size() && attempts < MOST_ATTEMPTS; attempts++) {
                List<Disaster> fewer = new ArrayList<>(needed.subList(0, at));
                fewer.addAll(needed.subList(Math.min(needed.size(), at + part), needed.size()));
                String found = live(seed, fewer, new SimulationReport(), null);
                if (found != null && isSame(found, finding)) {
                    needed = fewer;
                    last = found;
                } else {
                    at += part;
                }
            }
        }
        return new SimulationFailure(seed, last, needed);
    }

    /** Returns whether two findings differ in numbers at most. */
    private static boolean isSame(String one, String other) {
        return NUMBER.matcher(one).replaceAll("").equals(NUMBER.matcher(other).replaceAll(""));
    }

    /** Lives the same life twice; returns where the two part, or null if they do not. */
    private @Nullable String difference(long seed, List<Disaster> disasters) {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        live(seed, disasters, new SimulationReport(), first::add);
        live(seed, disasters, new SimulationReport(), second::add);
        for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
            String one = i < first.size() ? first.get(i) : "the end";
            String other = i < second.size() ? second.get(i) : "the end";
            if (!one.equals(other)) {
                return "one seed gave two histories, so the machine, its commands or its invariant depend on something "
                        + "else than their input. They part at event " + (i + 1) + ":\n    " + one + "\n    " + other;
            }
        }
        return null;
    }

    @Nullable
    Supplier<? extends M> upgraded() {
        return upgraded;
    }

    Supplier<? extends M> machines() {
        return machines;
    }

    /** Returns what makes the clients of a life whose chance that is. */
    IntFunction<Workload> workloads(RandomGenerator random) {
        IntFunction<? extends Workload> made = Objects.requireNonNull(workloads.apply(random), "workloads");
        return client -> Objects.requireNonNull(made.apply(client), "workload");
    }

    Consumer<? super M> invariant() {
        return invariant;
    }

    Map<String, Predicate<? super M>> sometimes() {
        return sometimes;
    }

    BiFunction<String, byte[], byte[]> network() {
        return network;
    }

    UnaryOperator<ServiceConfig> configuration() {
        return configuration;
    }

    UnaryOperator<Storage> disk() {
        return disk;
    }

    @Nullable
    Supplier<? extends Protocol> protocol() {
        return protocol;
    }

    int mostGuests() {
        return mostGuests;
    }

    Function<? super RandomGenerator, ? extends IntFunction<? extends Guest>> guests() {
        return guests;
    }

    int clientCount() {
        return clientCount;
    }

    int commandCount() {
        return commandCount;
    }

    long[] topicNumbers() {
        return topics.clone();
    }

    long disasterNanos() {
        return disasterNanos;
    }
}
