package io.slipstream.replica.backup;

import io.slipstream.core.counters.Counters;
import io.slipstream.journal.Journal;
import io.slipstream.replica.site.Role;
import io.slipstream.replica.site.Site;
import io.slipstream.replica.wire.Handshake;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import io.slipstream.replica.wire.Token;
import io.slipstream.replica.wire.WireException;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.host.Host;
import io.slipstream.service.log.LogSchema;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A backup site: listens for its primary and keeps a copy of its journal, with a warm state machine behind it.
 *
 * <p>One primary at a time: one that comes while another is connected takes its place. After {@link #promote} the
 * folder belongs to a service, and this object goes on telling primaries of before that they are fenced; it should run
 * as long as one of them might come back.
 */
public final class BackupSite implements AutoCloseable {
    private static final int MOST_STRANGERS = 32;
    private static final System.Logger LOG = System.getLogger("io.slipstream.replica");

    private final ServiceConfig service;
    private final BackupConfig config;
    private final Token token;
    private final ServerSocket listener;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    /* Those that have not shown the token yet, the oldest first. */
    private final Queue<Link> strangers = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Promotion> promoted = new CompletableFuture<>();
    /* The same, for threads of the host that wait for it. */
    private final Outcome<Promotion> promotion;
    private final AtomicReference<@Nullable Logic> successor = new AtomicReference<>();
    private final @Nullable Journal journal;
    private final @Nullable WarmState warm;
    private final @Nullable Intake intake;
    private final SiteCounters shown;
    private volatile Site site;
    private volatile @Nullable Link primary;
    private volatile long lastSequence;
    private volatile boolean closed;

    /**
     * Opens the backup's folder and begins to listen.
     *
     * @param service its folder, journal and limits, and the addresses of the service once it is promoted; the limits
     *                must be those of the primary's service
     * @param machine in its initial state, the same as the primary's
     * @throws IOException              if the folder is no backup's, or cannot be used, or the address cannot be bound
     * @throws IllegalArgumentException if nobody has said who gets into the service once it is promoted; or if the
     *                                  machine would misread commands of the journal
     */
    public static BackupSite start(ServiceConfig service, BackupConfig config, StateMachine machine)
            throws IOException {
        return start(service, config, machine, null);
    }

    /**
     * As {@link #start(ServiceConfig, BackupConfig, StateMachine)}, and shows other processes how it is.
     *
     * @param counters with at least {@value SiteCounters#PLACES} free places; whoever made them closes them, after the
     *                 site
     */
    public static BackupSite start(
            ServiceConfig service, BackupConfig config, StateMachine machine, @Nullable Counters counters)
            throws IOException {
        service.requireAccessSaid();
        LogSchema schema = LogSchema.require(service.directory(), machine, BackupSite::warn);
        Site site = Site.read(service.host(), service.directory());
        switch (site.role()) {
            case PRIMARY, FENCED ->
                throw new IOException("the folder " + service.directory() + " is no backup: it is "
                        + site.role().name().toLowerCase(Locale.ROOT) + ". " + site.refusal());
            case NONE -> {
                site = Site.backup(0, null);
                site.write(service.host(), service.directory());
            }
            default -> {
                // It was one before.
            }
        }
        Journal journal = site.role() == Role.PROMOTED
                ? null
                : Journal.open(service.host().storage(service.directory()), service.journal());
        try {
            BackupSite started = new BackupSite(service, config, site, journal, machine, counters);
            schema.keep(BackupSite::warn);
            return started;
        } catch (IOException | RuntimeException | Error e) {
            if (journal != null) {
                journal.close();
            }
            throw e;
        }
    }

    private BackupSite(
            ServiceConfig service,
            BackupConfig config,
            Site site,
            @Nullable Journal journal,
            StateMachine machine,
            @Nullable Counters counters)
            throws IOException {
        this.service = service;
        this.config = config;
        this.site = site;
        this.token = new Token(config.token());
        this.journal = journal;
        this.promotion = new Outcome<>(service.host().threads());
        this.listener = service.host().threads().serverSocket();
        try {
            listener.bind(config.address());
            listener.setSoTimeout(SiteCounters.INTERVAL_MILLIS);
        } catch (IOException e) {
            listener.close();
            throw new IOException("cannot listen on " + config.address() + ": " + e.getMessage(), e);
        }
        if (journal == null) {
            lastSequence = site.sequence();
            warm = null;
            intake = null;
        } else {
            reserve(service.host(), service.directory());
            // That of a copy of the primary would keep this journal from ever being trimmed.
            journal.removeTailer(Site.TAILER);
            lastSequence = journal.nextSequence() - 1;
            WarmState follower = new WarmState(journal, service, machine);
            warm = follower;
            Intake taking = new Intake(journal, follower::wake, service.host());
            intake = taking;
            follower.start(taking::isCatchingUp);
        }
        shown = new SiteCounters(counters, this);
        service.host().threads().start("slipstream-backup", this::listen);
    }

    private static void warn(String message) {
        LOG.log(System.Logger.Level.WARNING, message);
    }

    /** A promotion must not fail because the device is full by then. */
    private static void reserve(Host host, Path folder) {
        try {
            Site.reserve(host, folder);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "a promotion will need room for its term in " + folder + ": " + e);
        }
    }

    /** Returns the port that it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Returns how it is. */
    public SiteReport report() {
        Intake taking = intake;
        WarmState following = warm;
        Site present = site;
        long received = lastSequence;
        long had = lastSequence;
        if (present.role() == Role.BACKUP && taking != null) {
            received = taking.nextSequence() - 1;
            had = taking.primarySequence();
        }
        return new SiteReport(
                present.role(),
                present.term(),
                primary != null,
                received,
                had,
                following == null ? 0 : following.applied(),
                following == null ? 0 : following.stateHash());
    }

    /** Completes when the site was promoted; a service may then be started on its folder. */
    public CompletableFuture<Promotion> promoted() {
        return promoted.copy();
    }

    /**
     * Takes over: from now on nothing is taken from a primary, and each one of before is fenced. All that was durable
     * here is in the state that a service begins with; the journal is closed when this returns. Doing it again does
     * nothing.
     *
     * <p>Before anything changes it makes sure that a service could start: that the addresses of {@link #start}'s
     * configuration are free, that it is said who gets in, that there is memory, and that the state machine has applied
     * all records.
     *
     * @throws IOException if a service could not start, or the new term could not be made durable; then it is no
     *                     promotion, and its primary goes on
     */
    public Promotion promote() throws IOException {
        Intake taking = intake;
        Journal open = journal;
        WarmState following = warm;
        if (taking == null || open == null || following == null) {
            return new Promotion(site.term(), lastSequence);
        }
        boolean isFirst = false;
        if (site.role() != Role.PROMOTED) {
            requireServable(following);
        }
        taking.lock().lock();
        try {
            if (site.role() != Role.PROMOTED) {
                taking.settle();
                // What has come since, which is little: the primary waits meanwhile.
                requireApplied(following);
                isFirst = true;
                lastSequence = open.nextSequence() - 1;
                Site next = site.promoted(lastSequence);
                next.write(service.host(), service.directory());
                site = next;
            }
        } finally {
            taking.lock().unlock();
        }
        if (!isFirst) {
            // When that returns, the journal is closed.
            return promotion.get("the site is promoted, but its journal was not closed in order: ");
        }
        Link connected = primary;
        if (connected != null) {
            connected.close();
        }
        try {
            following.finish();
            successor.set(following.logic());
            following.save();
        } catch (IOException | RuntimeException | Error e) {
            // A service replays the log instead, and finds out the same. The term is durable: it has to end in order.
            LOG.log(System.Logger.Level.WARNING, "no snapshot of the warm state machine: " + e);
        } finally {
            following.close();
        }
        try {
            open.close();
        } catch (IOException | RuntimeException | Error e) {
            promotion.fails(e);
            promoted.completeExceptionally(e);
            throw e;
        }
        Promotion done = new Promotion(site.term(), lastSequence);
        promotion.is(done);
        promoted.complete(done);
        return done;
    }

    private void requireServable(WarmState following) throws IOException {
        try {
            Service.requireServable(service);
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    "it is not promoted, and its primary goes on, since no service could start here: " + e.getMessage(),
                    e);
        }
        requireApplied(following);
    }

    private static void requireApplied(WarmState following) throws IOException {
        try {
            following.catchUp();
        } catch (IOException e) {
            throw new IOException(
                    "it is not promoted, and its primary goes on, since a service would stop here: " + e.getMessage()
                            + ". Give it a machine that can apply that record, or skip the record at both sites",
                    e);
        }
    }

    /**
     * Starts a service on the folder of a site that was promoted. It goes on with the warm state machine, if this site
     * has one and the limits are its own; otherwise it makes one and replays the journal.
     *
     * @param config   with the same folder
     * @param machines makes a machine in its initial state; called by several threads
     * @throws IOException           as {@link Service#start(ServiceConfig, Supplier, Counters)}
     * @throws IllegalStateException if the site was not promoted
     */
    public Service serve(ServiceConfig config, Supplier<? extends StateMachine> machines, @Nullable Counters counters)
            throws IOException {
        if (site.role() != Role.PROMOTED || (journal != null && !promoted.isDone())) {
            throw new IllegalStateException("the site in " + service.directory() + " was not promoted");
        }
        Logic known = successor.getAndSet(null);
        return known == null || !config.logicLimits().equals(service.logicLimits())
                ? Service.start(config, machines, counters)
                : Service.start(config, known, machines, counters);
    }

    /** Ends all connections and closes the journal; the folder stays what it is. */
    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        links.forEach(Link::close);
        Intake taking = intake;
        WarmState following = warm;
        Journal open = journal;
        if (taking != null && following != null && open != null && site.role() == Role.BACKUP) {
            taking.lock().lock();
            try {
                following.close();
                open.close();
            } finally {
                taking.lock().unlock();
            }
        }
    }

    private void listen() {
        while (!closed) {
            shown.work();
            try {
                Socket socket = listener.accept();
                take(socket);
            } catch (SocketTimeoutException e) {
                // Nobody has come; the counters are due.
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                // There may be no thread for it: those that come later are accepted.
                if (!closed) {
                    LOG.log(System.Logger.Level.WARNING, "a connection was not accepted: " + e.getMessage());
                }
            }
        }
    }

    private void take(Socket socket) throws IOException {
        Link link = Link.over(service.host(), socket, config.tls(), null, (int)
                config.silence().toMillis());
        links.add(link);
        strangers.add(link);
        makeRoom();
        boolean isServed = false;
        try {
            service.host().threads().start("slipstream-backup-link", () -> serve(link));
            isServed = true;
        } finally {
            if (!isServed) {
                forget(link);
            }
        }
    }

    /** Who does not say at once who it is keeps nobody else away. */
    private void makeRoom() {
        while (strangers.size() > MOST_STRANGERS && strangers.poll() instanceof Link oldest) {
            oldest.close();
        }
    }

    private void serve(Link link) {
        try {
            link.deadline(config.silence().toNanos());
            Kind wish = Handshake.accept(link, token, service.host());
            strangers.remove(link);
            link.noDeadline();
            switch (wish) {
                case HELLO -> takeFrom(link);
                case STATUS -> link.send(Kind.REPORT, report().encode());
                case QUERY -> answer(link);
                case PROMOTE -> {
                    Promotion done = promote();
                    link.send(Kind.PROMOTED, done.term(), done.sequence());
                }
                default -> throw new WireException("the conversation did not begin as agreed");
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            if (!closed) {
                LOG.log(System.Logger.Level.DEBUG, "the connection with " + link.peer() + " ends: " + e.getMessage());
                link.refuse(String.valueOf(e.getMessage()));
            }
        } finally {
            forget(link);
        }
    }

    private void forget(Link link) {
        link.close();
        strangers.remove(link);
        links.remove(link);
    }

    private void answer(Link link) throws IOException {
        WarmState following = warm;
        if (following == null || site.role() != Role.BACKUP) {
            throw new IOException("it was promoted; ask the service");
        }
        byte[] payload = new byte[link.received().remaining()];
        link.received().get(payload);
        SiteClient.Answer answer = following.query(payload);
        ByteBuffer result = Link.buffer(Long.BYTES + answer.payload().length);
        link.send(
                Kind.RESULT,
                result.putLong(answer.sequence()).put(answer.payload()).flip());
    }

    private void takeFrom(Link link) throws IOException {
        UUID of = new UUID(link.number(), link.number());
        long term = link.number();
        Intake taking = intake;
        Journal open = journal;
        UUID known = site.journal();
        if (site.role() == Role.PROMOTED || taking == null || open == null || term < site.term()) {
            if (known != null && !known.equals(of)) {
                throw new IOException("it belongs to another journal; look at the address");
            }
            link.send(Kind.FENCED, site.term(), lastSequence);
            return;
        }
        taking.lock().lock();
        try {
            welcome(link, of, term, taking, open);
        } finally {
            taking.lock().unlock();
        }
        link.whileReceiving(() -> link.send(Kind.ACK, open.durableSequence().getAcquire()));
        try {
            while (true) {
                Kind kind = link.receive(Link.MAX_BYTES);
                if (kind != Kind.DATA && kind != Kind.PING) {
                    throw new WireException("a primary sends no " + kind);
                }
                taking.lock().lock();
                try {
                    if (primary != link || site.role() != Role.BACKUP || closed) {
                        throw new IOException("another connection has taken its place");
                    }
                    taking.take(link, kind);
                } finally {
                    taking.lock().unlock();
                }
            }
        } finally {
            taking.lock().lock();
            try {
                if (primary == link) {
                    primary = null;
                    if (site.role() == Role.BACKUP && !closed && open.failure() == null) {
                        taking.settle();
                    }
                }
            } finally {
                taking.lock().unlock();
            }
        }
    }

    private void welcome(Link link, UUID of, long term, Intake taking, Journal open) throws IOException {
        UUID known = site.journal();
        boolean fresh = open.nextSequence() == 1 || (known == null && open.id().equals(of));
        if (!of.equals(known) && !fresh) {
            throw new IOException("it is the backup of another journal; give it an empty folder, or a copy");
        }
        if (site.role() != Role.BACKUP) {
            throw new IOException("it was promoted a moment ago");
        }
        Site next = Site.backup(term, of);
        if (!next.equals(site)) {
            next.write(service.host(), service.directory());
            site = next;
            reserve(service.host(), service.directory());
        }
        Link before = primary;
        primary = link;
        if (before != null) {
            before.close();
        }
        // What is welcomed counts as acknowledged, also what a connection has brought that ends only now.
        taking.settle();
        link.send(Kind.WELCOME, term, taking.nextSequence(), taking.sumOfLast());
    }
}
