package io.slipstream.journal;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets many threads append to one journal, each of which goes on when its own record is as durable as the journal's
 * level says.
 *
 * <pre>
 *   member --+                                       +--> wakes those whose records are durable
 *   member --+--> list of those who wait --> leader --+--> journal: append each, one commit for all
 *   member --+         (newest first)                 +--> hands the lead to one of those who have come meanwhile
 * </pre>
 *
 * <p>There is no thread of its own: whoever finds nobody committing leads, and commits for all that have come until
 * then. Those who come during a commit wait for the next one, so that the batches grow with the load and a lone append
 * is not held up. (DeWitt et al., "Implementation Techniques for Main Memory Database Systems", 1984.)
 *
 * <p>From its creation on the group owns the journal: nobody else appends, commits or flushes. At the level NONE this
 * means that nothing is handed to the system before a batch is full, or the journal is closed. The journal stays the
 * caller's to close, when no member appends any more.
 */
public final class GroupCommit {
    /** Yields a little before it sleeps: while many wait for one force, that is cheaper than being woken one by one. */
    private static final WaitStrategy WAITING =
            new WaitStrategy(0, 20, WaitStrategy.UNTIL_WOKEN_NANOS, WaitStrategy.UNTIL_WOKEN_NANOS, true);

    /** Stands for the threads that may lead: they must be able to read and write what a member hands over. */
    private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

    private final CommitLog journal;
    private final WaitStrategy waiting;
    private final AtomicReference<@Nullable Member> newest = new AtomicReference<>();
    private final Lead lead;

    /** Creates a group whose members yield a little and then park. */
    public GroupCommit(Journal journal) {
        this(journal, WAITING);
    }

    /**
     * Creates a group.
     *
     * @param waiting what its members do until their records are durable; its sleeps are ended by being woken
     */
    public GroupCommit(Journal journal, WaitStrategy waiting) {
        this(journal, waiting, new Lead());
    }

    /** Creates a group that appends to anything, led in any way. */
    GroupCommit(CommitLog journal, WaitStrategy waiting, Lead lead) {
        this.lead = lead;
        this.journal = Objects.requireNonNull(journal, "journal");
        this.waiting = Objects.requireNonNull(waiting, "waiting");
    }

    /** Returns a new member, for one thread at a time. */
    public Member join() {
        return join(new Signal());
    }

    /** Returns a new member that sleeps on {@code signal}. */
    Member join(Signal signal) {
        return new Member(this, signal);
    }

    /** Leads if nobody does: appends and commits for all who wait, the caller among them. */
    private boolean lead() {
        if (newest.get() == null || !lead.take()) {
            return false;
        }
        Member oldest = null;
        try {
            oldest = inOrder(newest.getAndSet(null));
            commit(oldest);
        } finally {
            lead.release();
            lead.handOver(newest.get());
            release(oldest);
        }
        return true;
    }

    /** Appends for all, in the order in which they came; those whose append is refused do without the commit. */
    private void commit(@Nullable Member oldest) {
        Throwable failure = null;
        int accepted = 0;
        for (Member member = oldest; member != null; member = member.next) {
            if (member.append(journal)) {
                accepted++;
            }
        }
        try {
            if (accepted > 0) {
                journal.commit();
            }
        } catch (JournalException | RuntimeException | Error e) {
            failure = e;
        }
        for (Member member = oldest; member != null; member = member.next) {
            if (member.failure == null) {
                member.failure = failure;
            }
        }
    }

    /** Tells all that they may go on; from then on they are no longer in the list. */
    private static void release(@Nullable Member oldest) {
        Member member = oldest;
        while (member != null) {
            Member next = member.next;
            member.done = true;
            member.signal.wake();
            member = next;
        }
    }

    private static @Nullable Member inOrder(@Nullable Member newestFirst) {
        Member oldest = null;
        Member member = newestFirst;
        while (member != null) {
            Member older = member.next;
            member.next = oldest;
            oldest = member;
            member = older;
        }
        return oldest;
    }

    /** One of those who append, with what it has handed over. For one thread at a time. */
    public static final class Member {
        private final GroupCommit group;
        private final Signal signal;
        private @Nullable Member next;
        private MemorySegment memory = MemorySegment.NULL;
        private long offset;
        private int bytes;
        private @Nullable Throwable failure;
        private volatile boolean done = true;

        private Member(GroupCommit group, Signal signal) {
            this.group = group;
            this.signal = signal;
        }

        /**
         * Appends the frames that lie side by side in {@code memory}, all or none of them, and returns when they are
         * durable; their checksums, epochs and sequences are then in {@code memory}, too. An interrupt neither ends the
         * wait nor gets lost.
         *
         * @param frames as {@link Journal#append} asks for them; nobody changes them until this returns
         * @throws IllegalArgumentException if they are no whole records, or too many bytes, or in memory that belongs
         *                                  to one thread; nothing was accepted
         * @throws JournalFullException     if there is no room on the device; nothing was accepted
         * @throws JournalFailedException   if the journal is poisoned; whether the records are there is known when it
         *                                  is opened again
         */
        public void append(MemorySegment frames, long at, int length) throws JournalException {
            if (!frames.isAccessibleBy(ANOTHER)) {
                throw new IllegalArgumentException(
                        "the frames are in the memory of a confined arena, and another thread may be the one"
                                + " that appends them; use a shared arena, or an automatic one");
            }
            memory = frames;
            offset = at;
            bytes = length;
            failure = null;
            done = false;
            Member before;
            do {
                before = group.newest.get();
                next = before;
            } while (!group.newest.compareAndSet(before, this));
            await();
            rethrow();
        }

        /** Ends its sleep. */
        void wake() {
            signal.wake();
        }

        private void await() {
            boolean interrupted = false;
            boolean wakeable = group.waiting.wakeable();
            for (int round = 0; !done; round = Math.min(round + 1, WaitStrategy.FOREVER - 1)) {
                if (group.lead()) {
                    continue;
                }
                if (round < group.waiting.spins()) {
                    Thread.onSpinWait();
                } else if (!wakeable || round - (long) group.waiting.spins() < group.waiting.yields()) {
                    Thread.yield();
                } else {
                    signal.arm();
                    if (done || group.lead()) {
                        signal.disarm();
                        continue;
                    }
                    signal.sleep(group.waiting.maxSleepNanos());
                    interrupted |= Thread.interrupted();
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Hands its frames to the journal, for the leader; returns whether they were accepted. */
        private boolean append(CommitLog journal) {
            try {
                journal.append(memory, offset, bytes);
                return true;
            } catch (JournalException | RuntimeException | Error e) {
                failure = e;
                return false;
            }
        }

        private void rethrow() throws JournalException {
            Throwable thrown = failure;
            switch (thrown) {
                case null -> {}
                case JournalFullException e -> throw new JournalFullException(String.valueOf(e.getMessage()), e);
                case JournalFailedException e -> throw new JournalFailedException(String.valueOf(e.getMessage()), e);
                case JournalException e -> throw new JournalException(String.valueOf(e.getMessage()), e);
                case RuntimeException e -> throw e;
                default -> throw new JournalFailedException("appending has failed: " + thrown, thrown);
            }
        }
    }
}
