package io.slipstream.sim.pair;

import io.slipstream.replica.primary.PushLevel;
import io.slipstream.replica.site.Role;
import io.slipstream.replica.site.Site;
import io.slipstream.service.Service;
import io.slipstream.service.protocol.Status;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import io.slipstream.sim.tally.Life;
import io.slipstream.sim.tally.Tally;
import io.slipstream.sim.tally.TallyClient;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A life of a service and its backup site, from one seed. First anything may go wrong; then nothing does any more, and
 * the pair must serve, or the one that was promoted.
 *
 * <p>For one thread, and for one life.
 */
public final class PairSimulation {
    private static final long SECOND = 1_000_000_000;
    private static final long STEP_NANOS = SECOND / 10;
    private static final long DISASTER_NANOS = 10 * SECOND;
    private static final long LIVENESS_NANOS = 120 * SECOND;
    private static final int STEPS_BETWEEN_LOOKS = 20;

    private final Schedule schedule;
    private final SimulatedNetwork network;
    private final PairSettings settings;
    private final PairStrikes strikes;
    private final Chance looks;
    private final PrimaryPlace primary;
    private final BackupPlace backup;
    private final List<TallyClient> clients = new ArrayList<>();
    private @Nullable WarmReader reader;
    private @Nullable String finding;
    private boolean isCalm;
    private boolean isOver;
    private boolean isAsked;
    private boolean isPromoted;
    private long promotedSequence = Long.MAX_VALUE;

    /** Creates the life that follows from {@code seed}. */
    public PairSimulation(long seed) {
        this.schedule = new Schedule(seed);
        this.network = new SimulatedNetwork(schedule);
        this.settings = new PairSettings(schedule.chance("settings").random());
        this.looks = schedule.chance("looks");
        this.primary = new PrimaryPlace(this);
        this.backup = new BackupPlace(this);
        this.strikes = new PairStrikes(this);
    }

    /** Hands each event to {@code listener} as a line of text. */
    public PairSimulation trace(Consumer<String> listener) {
        schedule.trace().listener(listener);
        return this;
    }

    /**
     * Lives it.
     *
     * @throws BrokenPromise if a promise was not kept
     */
    public Life run() {
        try {
            live();
        } catch (IllegalStateException e) {
            require(false, String.valueOf(e.getCause() == null ? e : e.getCause()));
        } finally {
            isOver = true;
            clients.forEach(TallyClient::leave);
            WarmReader asking = reader;
            if (asking != null) {
                asking.leave();
            }
            primary.ends();
            backup.ends();
        }
        if (finding != null) {
            throw new BrokenPromise(finding);
        }
        return new Life(
                schedule.trace().hash(),
                schedule.nanos(),
                clients.stream().mapToLong(TallyClient::offered).sum(),
                clients.stream().mapToLong(client -> client.answered().size()).sum(),
                isPromoted ? 1 : 0,
                schedule.trace().faults());
    }

    private void live() {
        schedule.after(0, backup::boot);
        schedule.after(1, primary::boot);
        String addresses = "127.0.0.1:" + PairSettings.PRIMARY_PORT + ",127.0.0.1:" + PairSettings.BACKUP_PORT;
        int count = 1 + schedule.chance("clients").random().nextInt(4);
        for (int i = 1; i <= count; i++) {
            clients.add(new TallyClient(schedule, network, i, addresses, null));
        }
        WarmReader asking = new WarmReader(this);
        reader = asking;
        strikes.plan(DISASTER_NANOS);
        for (int step = 1; schedule.nanos() < DISASTER_NANOS && finding == null; step++) {
            schedule.runUntil(schedule.nanos() + STEP_NANOS);
            long ignored = acknowledged();
            if (step % STEPS_BETWEEN_LOOKS == 0) {
                requirePrefix();
            }
        }
        if (finding == null) {
            comeToRest();
        }
        if (finding == null) {
            requirePrefix();
            requireOnce();
            requireFenced();
            String wrong = asking.differenceFrom(serving().live().applied());
            require(wrong == null, String.valueOf(wrong));
        }
        if (finding == null) {
            requireSameStates();
        }
    }

    Schedule schedule() {
        return schedule;
    }

    SimulatedNetwork network() {
        return network;
    }

    PairSettings settings() {
        return settings;
    }

    PrimaryPlace primary() {
        return primary;
    }

    BackupPlace backup() {
        return backup;
    }

    boolean isCalm() {
        return isCalm;
    }

    boolean isOver() {
        return isOver || finding != null;
    }

    /** The backup is asked to take over. */
    void asked() {
        isAsked = true;
    }

    /** The backup has taken over behind that record. */
    void promoted(long sequence) {
        isPromoted = true;
        promotedSequence = Math.min(promotedSequence, sequence);
    }

    boolean isPromoted() {
        return isPromoted;
    }

    /** Returns whether the backup was promoted, or may be by now. */
    boolean isPromotedOrAbout() {
        return isAsked;
    }

    /** Returns the last record that the backup has ever acknowledged. */
    long acknowledged() {
        return primary.acknowledged();
    }

    /** Notes the first promise that is broken. */
    void require(boolean holds, String otherwise) {
        if (!holds && finding == null) {
            finding = otherwise;
            schedule.trace().note("world", otherwise, 0);
        }
    }

    /** C4: the backup is at every moment an exact prefix of the primary; once promoted, up to where it was. */
    void requirePrefix() {
        try {
            PairLog whole = log(primary.disk());
            String difference = log(backup.disk()).differenceFrom(whole, promotedSequence);
            require(difference == null, String.valueOf(difference));
        } catch (IOException | RuntimeException e) {
            require(false, "a log cannot be read: " + e);
        }
    }

    private PairLog log(SimulatedDisk disk) throws IOException {
        return PairLog.read(disk.kill(looks.random()), settings.journal(reader(disk)));
    }

    private SimulatedHost reader(SimulatedDisk disk) {
        return new SimulatedHost(schedule, network, "reader").withStorage(new SimulatedStorage(disk, looks.random()));
    }

    private PairSite serving() {
        return isPromoted ? backup : primary;
    }

    private int open() {
        return clients.stream().mapToInt(TallyClient::open).sum();
    }

    private void comeToRest() {
        isCalm = true;
        schedule.trace().note("world", "calm", open());
        strikes.end();
        primary.mends();
        backup.mends();
        clients.forEach(TallyClient::finish);
        if (reader != null) {
            reader.finish();
        }
        long deadline = schedule.nanos() + LIVENESS_NANOS;
        while (!isAtRest() && schedule.nanos() < deadline && finding == null) {
            schedule.runUntil(schedule.nanos() + STEP_NANOS);
        }
        if (finding == null && !isAtRest()) {
            require(false, LIVENESS_NANOS / SECOND + " s after the last disaster " + unrest());
        }
    }

    private boolean isAtRest() {
        return open() == 0
                && serving().service() != null
                && (isPromoted ? isFenced() : primary.isPushed() && backup.isWarm());
    }

    private String unrest() {
        if (serving().service() == null) {
            return "the " + serving().name + " does not serve";
        }
        if (open() > 0) {
            return open() + " commands are not answered";
        }
        return isPromoted
                ? "the former primary has not heard that its backup was promoted"
                : "the backup does not have what the primary has";
    }

    private boolean isFenced() {
        try {
            return primary.service() == null
                    && Site.read(reader(primary.disk()), PairSettings.FOLDER).role() == Role.FENCED;
        } catch (IOException e) {
            require(false, "the former primary does not say what it is: " + e);
            return true;
        }
    }

    /** What was answered is there once: at the backup, if it was promoted and answers waited for it. */
    private void requireOnce() {
        List<Long> applied = serving().live().applied();
        Set<Long> there = new HashSet<>(applied);
        require(there.size() == applied.size(), "a command was applied twice");
        for (TallyClient client : clients) {
            List<Long> answered = client.answered();
            require(new HashSet<>(answered).size() == answered.size(), "a command was answered twice");
            if (settings.level() == PushLevel.BACKUP || !isPromoted) {
                for (long id : answered) {
                    require(there.contains(id), "command " + id + " was answered, and is not there");
                }
            }
        }
    }

    /** C5: no service starts on the folder of the one that must not serve, whoever forgets that there are two. */
    private void requireFenced() {
        PairSite other = isPromoted ? primary : backup;
        SimulatedHost alone = reader(other.disk().kill(looks.random()));
        try (Service _ = Service.start(settings.next(alone, 0), new Tally())) {
            require(false, "a service starts on the folder of the " + other.name + " as if it were alone");
        } catch (IOException e) {
            require(
                    String.valueOf(e.getMessage()).contains("is not served"),
                    "the folder of the " + other.name + " is refused for another reason: " + e);
        }
    }

    /** S4 and S11 at both sites: what served, what its log leads to, and what the other log leads to. */
    private void requireSameStates() {
        PairSite site = serving();
        long live = site.live().stateHash();
        int count = site.live().applied().size();
        schedule.trace().note("world", "compares behind command", count, live);
        if (!isPromoted) {
            require(backup.live().stateHash() == live, "the warm machine of the backup has another state");
            require(replayed(backup) == live, "the log of the backup leads to another state");
        }
        require(replayed(site) == live, "the log of the " + site.name + " leads to another state");
    }

    private long replayed(PairSite site) {
        Tally machine = new Tally();
        try {
            Status status = Service.replay(settings.reading(reader(site.disk().kill(looks.random()))), machine);
            schedule.trace().note("reader", "replayed", status.sequence());
        } catch (IOException | RuntimeException e) {
            require(false, "the log of the " + site.name + " does not replay: " + e);
        }
        return machine.stateHash();
    }
}
