package io.slipstream.cluster.log;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.logic.LogicError;
import io.slipstream.service.logic.OwnEntries;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.snapshot.ChunkedInput;
import io.slipstream.service.snapshot.ChunkedOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Applies what a majority has recorded.
 *
 * <p>Entries get their sequence here, the same at each member. Whatever is thrown stops the member, as it would
 * otherwise go on behind the entry, with half of its effects.
 *
 * <p>One thread hands it the log; what any other may call says so.
 */
public final class Replicated {
    private static final System.Logger LOG = System.getLogger("io.slipstream.cluster");
    /** The format of the snapshots. */
    public static final int FORMAT = 1;

    private static final int MEMBER_SHIFT = 56;

    private final Logic logic;
    private final FramePoller own;
    private final OwnEntries entries;
    private final LongPredicate skipped;
    private final Consumer<Throwable> onFailure;
    private final Origins origins = new Origins();
    private final Votes votes;
    private final int self;
    private final long origin;
    private final FrameHandler onOwn = this::onOwn;
    private final Sequence processed = new Sequence();
    private final Sequence probed = new Sequence(0);
    private final Sequence applied = new Sequence(0);
    private final Sequence position = new Sequence(0);
    private final Queue<CompletableFuture<MemberState>> asked = new ConcurrentLinkedQueue<>();
    private final ByteBuffer headerBytes = ByteBuffer.allocateDirect(Envelope.HEADER_BYTES);
    private final MemorySegment header = MemorySegment.ofBuffer(headerBytes);
    private ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
    private MemorySegment frames = MemorySegment.ofBuffer(bytes);
    private long entryNanos;
    private long fromGateway;
    private volatile boolean leader;
    private volatile int leaderId = -1;
    private volatile long terms;
    private volatile int version = -1;

    /**
     * Creates the service.
     *
     * @param own       polls the ring behind the submitter
     * @param entries   is told what the member has to write into the log
     * @param members   how many there are
     * @param origin    of this life of the member's gateway
     * @param skipped   says which entries an operator wants to be passed over
     * @param onFailure is called once with what stops the member, on the thread that hands it the log
     */
    public Replicated(
            Logic logic,
            FramePoller own,
            OwnEntries entries,
            int self,
            int members,
            long origin,
            LongPredicate skipped,
            Consumer<Throwable> onFailure) {
        this.logic = logic;
        this.own = own;
        this.entries = entries;
        this.self = self;
        this.votes = new Votes(members, self);
        this.origin = origin;
        this.skipped = skipped;
        this.onFailure = onFailure;
    }

    /** Returns how many messages of the gateway were processed. */
    public Sequence processed() {
        return processed;
    }

    /** Returns the number of the last probe that has come back. */
    public Sequence probed() {
        return probed;
    }

    /** Returns the sequence of the last entry that was applied. */
    public Sequence applied() {
        return applied;
    }

    /** Returns up to which byte the log was applied. */
    public Sequence position() {
        return position;
    }

    /**
     * Returns the version of the state machine that the log has come to, and that all members act as; -1 before its
     * first entry. Any thread may ask.
     */
    public int version() {
        return version;
    }

    /** Returns whether this member is the leader; any thread may ask. */
    public boolean isLeader() {
        return leader;
    }

    /** Returns which member is the leader as far as this one knows, or -1; any thread may ask. */
    public int leaderId() {
        return leaderId;
    }

    /** Returns how many leaders have come since this member has started; any thread may ask. */
    public long terms() {
        return terms;
    }

    /**
     * Returns whether members have different states, and it is not known yet which one is right; any thread may ask. A
     * snapshot would make a wrong state the one that its member starts from.
     */
    public boolean isInDoubt() {
        return votes.isInDoubt();
    }

    /** Asks where the member is, between two entries; any thread may ask. */
    public CompletableFuture<MemberState> state() {
        CompletableFuture<MemberState> future = new CompletableFuture<>();
        asked.add(future);
        return future;
    }

    /**
     * Begins at a snapshot, or before the first entry.
     *
     * @return whether it could; if not, the member has heard why
     */
    public boolean start(ChunkedInput.@Nullable Source snapshot) {
        try {
            if (snapshot != null) {
                load(snapshot);
            }
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
            return false;
        }
        logic.pulse().here();
        entries.startBehind(logic);
        applied.setRelease(logic.lastSequence());
        version = logic.version();
        return true;
    }

    private void load(ChunkedInput.Source snapshot) throws IOException {
        ChunkedInput input = new ChunkedInput(snapshot, Long.MAX_VALUE);
        int format = input.readInt();
        if (format != FORMAT) {
            throw new StateFormatException(
                    "the snapshot of the cluster has format " + format + ", and this version reads " + FORMAT);
        }
        origins.load(input);
        logic.load(input);
        input.finish();
    }

    /** Writes what {@link #start} begins at. */
    public void save(ChunkedOutput.Sink snapshot) {
        ChunkedOutput output = new ChunkedOutput(snapshot);
        output.writeInt(FORMAT);
        origins.save(output);
        logic.save(output);
        output.finish();
    }

    /**
     * Applies an entry.
     *
     * @param timeNanos since the epoch, at the leader that has taken it
     * @return whether it could; if not, the member has heard why, and gets no other entry
     */
    public boolean apply(long timeNanos, Entry entry) {
        try {
            onEntry(timeNanos, entry);
            logic.pulse().rest();
            return true;
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    private void onEntry(long timeNanos, Entry entry) {
        int length = entry.length();
        entry.copy(0, headerBytes, Math.min(length, Envelope.HEADER_BYTES));
        Envelope.requireSound(header, 0, length);
        int member = Envelope.member(header, 0);
        long ofOrigin = Envelope.origin(header, 0);
        boolean mine = member == self && ofOrigin == origin;
        if (Envelope.isProbe(header, 0)) {
            if (mine) {
                probed.setRelease(Envelope.start(header, 0));
            }
            return;
        }
        long end = Envelope.end(header, 0);
        Origins.Verdict verdict =
                origins.admit(member, ofOrigin, Envelope.isFirst(header, 0), Envelope.start(header, 0), end);
        if (origins.of(self) > origin && (mine || verdict != Origins.Verdict.DROPPED)) {
            throw new LaterLifeException(self, origins.of(self));
        }
        if (verdict == Origins.Verdict.DROPPED) {
            return;
        }
        if (verdict == Origins.Verdict.BEGINS) {
            logic.detachAll(connection -> connection >>> MEMBER_SHIFT == member + 1);
            votes.forget(member);
        }
        entryNanos = Math.max(logic.lastTimeNanos(), timeNanos);
        if (mine) {
            applyOwn(end);
        } else {
            applyOthers(member, entry, length - Envelope.HEADER_BYTES);
        }
        applied.setRelease(logic.lastSequence());
        entries.after(logic);
    }

    private void applyOwn(long end) {
        while (own.sequence().getPlain() < end) {
            if (own.poll(onOwn, 1) == 0) {
                throw new IllegalStateException("the own batch that ends at " + end + " is not in the ring");
            }
        }
        processed.setRelease(fromGateway);
    }

    private void onOwn(MemorySegment memory, long offset, int length, boolean endOfBatch) {
        short type = Message.type(memory, offset);
        if (type == MessageType.STATUS) {
            logic.answer(
                    memory,
                    offset,
                    () -> new Status(logic.lastSequence(), logic.stateHash(), logic.sessionCount(), 0, 0, 0, false));
        } else if (MessageType.isLogged(type)) {
            enter(memory, offset, type, self, true);
        } else {
            logic.apply(memory, offset);
        }
        if (!MessageType.isOwn(type)) {
            fromGateway++;
        }
    }

    private void applyOthers(int member, Entry entry, int length) {
        if (bytes.capacity() < length) {
            bytes = ByteBuffer.allocateDirect(2 * length);
            frames = MemorySegment.ofBuffer(bytes);
        }
        entry.copy(Envelope.HEADER_BYTES, bytes, length);
        for (int at = 0; at < length; ) {
            int frame = Frame.length(frames, at);
            if (frame < Message.HEADER_BYTES || frame > length - at) {
                throw new IllegalStateException(
                        "the log has a frame of " + frame + " bytes, " + at + " bytes into " + length);
            }
            enter(frames, at, Message.type(frames, at), member, false);
            at += Frame.align(frame);
        }
    }

    private void enter(MemorySegment memory, long offset, short type, int member, boolean mine) {
        if (type == MessageType.CHECK) {
            vote(member, Message.payloadLong(memory, offset, 0), Message.payloadLong(memory, offset, 8));
            return;
        }
        if (type == MessageType.START && !VersionSwitch.counts(Start.decode(memory, offset), logic.version())) {
            return;
        }
        Message.sequence(memory, offset, logic.lastSequence() + 1);
        Message.timeNanos(memory, offset, entryNanos);
        if (type == MessageType.HELLO || type == MessageType.DETACH) {
            // Connections have numbers at each member.
            Message.correlation(
                    memory, offset, Message.correlation(memory, offset) | (long) (member + 1) << MEMBER_SHIFT);
        }
        if (skipped.test(logic.lastSequence() + 1)) {
            logic.skip(memory, offset, mine);
        } else if (mine) {
            logic.apply(memory, offset);
        } else {
            logic.follow(memory, offset);
        }
        if (type == MessageType.START) {
            version = logic.version();
        }
    }

    private void vote(int member, long sequence, long hash) {
        votes.own(logic.checks().dueSequence(), logic.checks().dueHash());
        String doubt = votes.add(member, sequence, hash, origins.of(self) == origin);
        if (doubt != null) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "member " + self + ": " + doubt + ". There are no snapshots until a majority agrees. The state"
                            + " machine does something that does not follow from the log, or a machine computes"
                            + " wrongly");
        }
    }

    /**
     * Answers who asks, between two entries, and notes up to which byte the log was applied; returns how much it
     * did.
     */
    public int work(long logPosition) {
        position.setRelease(logPosition);
        CompletableFuture<MemberState> future;
        int done = 0;
        while ((future = asked.poll()) != null) {
            future.complete(new MemberState(logic.lastSequence(), logic.stateHash(), logic.sessionCount()));
            done++;
        }
        return done;
    }

    /** This member is the leader from here on, or is not. */
    public void leads(boolean leads) {
        leader = leads;
    }

    /** From here on, the log comes from this leader. */
    public void follows(int newLeader) {
        leaderId = newLeader;
        terms++;
    }

    /** There is no other entry. */
    public void end() {
        leader = false;
        CompletableFuture<MemberState> future;
        while ((future = asked.poll()) != null) {
            future.completeExceptionally(new IllegalStateException("the member has ended"));
        }
    }

    private void failed(Throwable cause) {
        onFailure.accept(
                switch (cause) {
                    case UncheckedIOException io when io.getCause() != null -> io.getCause();
                    case LogicError poisoned -> new PoisonedEntryException(poisoned);
                    default -> cause;
                });
    }
}
