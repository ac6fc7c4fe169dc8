package io.slipstream.log;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.EventLayout;
import io.slipstream.log.event.Sites;
import io.slipstream.log.output.Losses;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The side of the threads that log. Arguments are made ready before anything is claimed, as they may run code of the
 * caller's: what that does, and however long it takes, nobody else waits for it.
 */
final class LogWriter {
    private static final long NO_SITE = -2;
    private static final int HEADER = EventLayout.ARGUMENTS_OFFSET - Frame.HEADER_BYTES;

    private final FrameRing ring;
    private final MemorySegment memory;
    private final Sites sites;
    private final Losses losses;
    private final LogClock clock;
    private final ThreadTable threads = new ThreadTable();
    private final Duration fullWait;
    private final int fullKeep;
    private final int textSize;
    private volatile boolean stalled;
    private volatile boolean closed;
    private volatile @Nullable Runnable afterEach;
    private volatile @Nullable Thread backEnd;

    /*
     * A thread that runs out of stack behind its claim can call nothing, so that it writes here by an assignment in
     * which lap it leaves what begins at that place.
     */
    private final int[] left;
    private final int lapShift;

    LogWriter(FrameRing ring, Sites sites, Losses losses, LogClock clock, LogConfig config) {
        this.ring = ring;
        this.memory = ring.memory();
        this.sites = sites;
        this.losses = losses;
        this.clock = clock;
        this.fullWait = config.fullWait();
        this.fullKeep = config.fullKeep().ordinal();
        this.textSize = config.textSize();
        this.left = new int[(int) (memory.byteSize() / Frame.ALIGNMENT)];
        this.lapShift = Long.numberOfTrailingZeros(memory.byteSize());
    }

    Sites sites() {
        return sites;
    }

    /** The most characters of a text. */
    int textSize() {
        return textSize;
    }

    /** The back end has made room. */
    void progressed() {
        if (stalled) {
            stalled = false;
        }
    }

    void close() {
        closed = true;
    }

    /** This thread is the back end: it never waits for room, as nobody else makes it. */
    void backEnd(Thread thread) {
        backEnd = thread;
    }

    /** From now on each call does this once its message is in the ring. */
    void afterEach(Runnable action) {
        afterEach = action;
    }

    void write(Log log, int level, String message) {
        put(log, level, message, 0, null, null, null, null, null, null, null, null, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    void write(Log log, int level, String message, @Nullable Object a) {
        put(
                log,
                level,
                message,
                1,
                Arguments.kind(a),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Arguments.bits(a),
                0,
                0,
                0,
                0,
                0,
                0,
                0);
    }

    void write(Log log, int level, String message, @Nullable Object a, @Nullable Object b) {
        put(
                log,
                level,
                message,
                2,
                Arguments.kind(a),
                Arguments.kind(b),
                null,
                null,
                null,
                null,
                null,
                null,
                Arguments.bits(a),
                Arguments.bits(b),
                0,
                0,
                0,
                0,
                0,
                0);
    }

    void write(Log log, int level, String message, @Nullable Object a, @Nullable Object b, @Nullable Object c) {
        put(
                log,
                level,
                message,
                3,
                Arguments.kind(a),
                Arguments.kind(b),
                Arguments.kind(c),
                null,
                null,
                null,
                null,
                null,
                Arguments.bits(a),
                Arguments.bits(b),
                Arguments.bits(c),
                0,
                0,
                0,
                0,
                0);
    }

    void write(
            Log log,
            int level,
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d) {
        put(
                log,
                level,
                message,
                4,
                Arguments.kind(a),
                Arguments.kind(b),
                Arguments.kind(c),
                Arguments.kind(d),
                null,
                null,
                null,
                null,
                Arguments.bits(a),
                Arguments.bits(b),
                Arguments.bits(c),
                Arguments.bits(d),
                0,
                0,
                0,
                0);
    }

    void write(
            Log log,
            int level,
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e) {
        put(
                log,
                level,
                message,
                5,
                Arguments.kind(a),
                Arguments.kind(b),
                Arguments.kind(c),
                Arguments.kind(d),
                Arguments.kind(e),
                null,
                null,
                null,
                Arguments.bits(a),
                Arguments.bits(b),
                Arguments.bits(c),
                Arguments.bits(d),
                Arguments.bits(e),
                0,
                0,
                0);
    }

    void write(
            Log log,
            int level,
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f) {
        put(
                log,
                level,
                message,
                6,
                Arguments.kind(a),
                Arguments.kind(b),
                Arguments.kind(c),
                Arguments.kind(d),
                Arguments.kind(e),
                Arguments.kind(f),
                null,
                null,
                Arguments.bits(a),
                Arguments.bits(b),
                Arguments.bits(c),
                Arguments.bits(d),
                Arguments.bits(e),
                Arguments.bits(f),
                0,
                0);
    }

    void write(
            Log log,
            int level,
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g) {
        put(
                log,
                level,
                message,
                7,
                Arguments.kind(a),
                Arguments.kind(b),
                Arguments.kind(c),
                Arguments.kind(d),
                Arguments.kind(e),
                Arguments.kind(f),
                Arguments.kind(g),
                null,
                Arguments.bits(a),
                Arguments.bits(b),
                Arguments.bits(c),
                Arguments.bits(d),
                Arguments.bits(e),
                Arguments.bits(f),
                Arguments.bits(g),
                0);
    }

    void write(
            Log log,
            int level,
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g,
            @Nullable Object h) {
        put(
                log,
                level,
                message,
                8,
                Arguments.kind(a),
                Arguments.kind(b),
                Arguments.kind(c),
                Arguments.kind(d),
                Arguments.kind(e),
                Arguments.kind(f),
                Arguments.kind(g),
                Arguments.kind(h),
                Arguments.bits(a),
                Arguments.bits(b),
                Arguments.bits(c),
                Arguments.bits(d),
                Arguments.bits(e),
                Arguments.bits(f),
                Arguments.bits(g),
                Arguments.bits(h));
    }

    /*
     * Too long to be compiled into its callers, which is on purpose: they stay short, so that the compiler puts them
     * into theirs, and sees there that the boxes of numbers are only looked into.
     */
    void put(
            Log log,
            int level,
            String message,
            int count,
            @Nullable Object kind1,
            @Nullable Object kind2,
            @Nullable Object kind3,
            @Nullable Object kind4,
            @Nullable Object kind5,
            @Nullable Object kind6,
            @Nullable Object kind7,
            @Nullable Object kind8,
            long bits1,
            long bits2,
            long bits3,
            long bits4,
            long bits5,
            long bits6,
            long bits7,
            long bits8) {
        int most = textSize;
        int size;
        @Nullable Object argument1;
        @Nullable Object argument2;
        @Nullable Object argument3;
        @Nullable Object argument4;
        @Nullable Object argument5;
        @Nullable Object argument6;
        @Nullable Object argument7;
        @Nullable Object argument8;
        try {
            argument1 = Arguments.prepared(kind1, most);
            argument2 = Arguments.prepared(kind2, most);
            argument3 = Arguments.prepared(kind3, most);
            argument4 = Arguments.prepared(kind4, most);
            argument5 = Arguments.prepared(kind5, most);
            argument6 = Arguments.prepared(kind6, most);
            argument7 = Arguments.prepared(kind7, most);
            argument8 = Arguments.prepared(kind8, most);
            size = 0;
            size += count >= 1 ? Arguments.size(argument1) : 0;
            size += count >= 2 ? Arguments.size(argument2) : 0;
            size += count >= 3 ? Arguments.size(argument3) : 0;
            size += count >= 4 ? Arguments.size(argument4) : 0;
            size += count >= 5 ? Arguments.size(argument5) : 0;
            size += count >= 6 ? Arguments.size(argument6) : 0;
            size += count >= 7 ? Arguments.size(argument7) : 0;
            size += count >= 8 ? Arguments.size(argument8) : 0;
        } catch (RuntimeException failed) {
            // A text that another thread changes meanwhile.
            losses.drop();
            return;
        }
        int site = log.site(level, message);
        long position = claim(level, site, size);
        if (position < 0) {
            if (position == NO_SITE) {
                writeText(
                        log,
                        level,
                        message,
                        new @Nullable Object[] {
                            Arguments.value(argument1, bits1),
                            Arguments.value(argument2, bits2),
                            Arguments.value(argument3, bits3),
                            Arguments.value(argument4, bits4),
                            Arguments.value(argument5, bits5),
                            Arguments.value(argument6, bits6),
                            Arguments.value(argument7, bits7),
                            Arguments.value(argument8, bits8)
                        },
                        count);
            }
            return;
        }
        try {
            try {
                long at = begin(position, site, size);
                long end = at + size;
                if (count >= 1) {
                    at = Arguments.write(memory, at, end, argument1, bits1);
                }
                if (count >= 2) {
                    at = Arguments.write(memory, at, end, argument2, bits2);
                }
                if (count >= 3) {
                    at = Arguments.write(memory, at, end, argument3, bits3);
                }
                if (count >= 4) {
                    at = Arguments.write(memory, at, end, argument4, bits4);
                }
                if (count >= 5) {
                    at = Arguments.write(memory, at, end, argument5, bits5);
                }
                if (count >= 6) {
                    at = Arguments.write(memory, at, end, argument6, bits6);
                }
                if (count >= 7) {
                    at = Arguments.write(memory, at, end, argument7, bits7);
                }
                if (count >= 8) {
                    at = Arguments.write(memory, at, end, argument8, bits8);
                }
                Arguments.end(memory, at, end);
            } catch (RuntimeException failed) {
                abort(position);
                return;
            }
            publish(position);
        } catch (Error failed) {
            left[(int) (position / Frame.ALIGNMENT) & left.length - 1] = (int) (position >>> lapShift) + 1;
            throw failed;
        }
    }

    void writeAll(Log log, int level, String message, @Nullable Object[] arguments, int count) {
        int site = log.site(level, message);
        if (site == 0) {
            writeText(log, level, message, arguments, count);
            return;
        }
        @Nullable Object[] prepared = new Object[count];
        int size = 0;
        for (int i = 0; i < count; i++) {
            // Adapters have no need of texts without garbage, and a copy does not change.
            Object fixed = arguments[i] instanceof StringBuilder builder ? Arguments.text(builder) : arguments[i];
            prepared[i] = Arguments.prepared(Arguments.kind(fixed), textSize);
            int more = Arguments.size(prepared[i]);
            if (size + more > ring.maxMessageLength() - HEADER) {
                // Too much for one message: as a text it is cut where it says so.
                writeText(log, level, message, arguments, count);
                return;
            }
            size += more;
        }
        long position = claim(level, site, size);
        if (position >= 0) {
            try {
                try {
                    long at = begin(position, site, size);
                    long end = at + size;
                    for (int i = 0; i < count; i++) {
                        at = Arguments.write(memory, at, end, prepared[i], Arguments.bits(arguments[i]));
                    }
                    Arguments.end(memory, at, end);
                } catch (RuntimeException failed) {
                    abort(position);
                    return;
                }
                publish(position);
            } catch (Error failed) {
                left[(int) (position / Frame.ALIGNMENT) & left.length - 1] = (int) (position >>> lapShift) + 1;
                throw failed;
            }
        }
    }

    /** A message that the program has made up is no statement; it goes with its text, and all that belongs to it. */
    private void writeText(Log log, int level, @Nullable String message, @Nullable Object[] arguments, int count) {
        TextMessage text = new TextMessage(
                log.name(), String.valueOf(message), arguments, count, ring.maxMessageLength() - HEADER, textSize);
        int site = EventLayout.textSite(level);
        long position = claim(level, site, text.size());
        if (position < 0) {
            return;
        }
        try {
            try {
                text.write(memory, begin(position, site, text.size()));
            } catch (RuntimeException failed) {
                abort(position);
                return;
            }
            publish(position);
        } catch (Error failed) {
            left[(int) (position / Frame.ALIGNMENT) & left.length - 1] = (int) (position >>> lapShift) + 1;
            throw failed;
        }
    }

    /**
     * Claims room for arguments of {@code size} bytes; negative if the message is dropped, or the statement has no
     * number.
     */
    private long claim(int level, int site, int size) {
        if (site == 0) {
            return NO_SITE;
        }
        if (closed) {
            losses.drop();
            return -1;
        }
        try {
            Thread thread = Thread.currentThread();
            if (threads.isUnknown(thread)) {
                announce(thread);
            }
            long position = ring.tryClaim(HEADER + size);
            return position >= 0 ? position : claimWhenFull(level, HEADER + size);
        } catch (RuntimeException failed) {
            // The ring was closed meanwhile, or the message is larger than half of it.
            losses.drop();
            return -1;
        }
    }

    private long claimWhenFull(int level, int length) {
        long position = -1;
        if (level >= fullKeep && !stalled && !fullWait.isZero() && Thread.currentThread() != backEnd) {
            position = ring.tryClaim(length, fullWait);
            // One call waits for all: until the ring drains, further calls drop.
            stalled = position < 0;
        }
        if (position < 0) {
            losses.drop();
        }
        return position;
    }

    private void announce(Thread thread) {
        String name = thread.getName();
        if (name.isEmpty()) {
            threads.put(thread, name);
            return;
        }
        Object ready = Arguments.prepared(name);
        int size = Arguments.size(ready);
        long position = ring.tryClaim(HEADER + size);
        if (position >= 0) {
            try {
                try {
                    long at = begin(position, EventLayout.THREAD_NAME_SITE, size);
                    Arguments.write(memory, at, at + size, ready, 0);
                } catch (RuntimeException failed) {
                    abort(position);
                    return;
                }
                publish(position);
            } catch (Error failed) {
                left[(int) (position / Frame.ALIGNMENT) & left.length - 1] = (int) (position >>> lapShift) + 1;
                throw failed;
            }
            threads.put(thread, name);
        }
    }

    private long begin(long position, int site, int size) {
        long offset = ring.offset(position);
        EventLayout.begin(memory, offset, EventLayout.ARGUMENTS_OFFSET + size, clock.nanos(), site, (int)
                Thread.currentThread().threadId());
        return offset + EventLayout.ARGUMENTS_OFFSET;
    }

    private void publish(long position) {
        try {
            EventLayout.stamp(memory, ring.offset(position), position);
            ring.publish(position);
        } catch (RuntimeException failed) {
            // Closed meanwhile.
            losses.drop();
        }
        Runnable action = afterEach;
        if (action != null && Thread.currentThread() != backEnd) {
            action.run();
        }
    }

    private void abort(long position) {
        losses.drop();
        try {
            ring.abort(position);
        } catch (RuntimeException failed) {
            // Closed meanwhile.
        }
    }

    /**
     * Aborts the claim at {@code position} if its thread had no stack left even for that; returns whether it was so.
     * For the back end, when it finds nothing there.
     */
    boolean closeLeft(long position) {
        int slot = (int) (position / Frame.ALIGNMENT) & left.length - 1;
        if (left[slot] != (int) (position >>> lapShift) + 1) {
            return false;
        }
        left[slot] = 0;
        abort(position);
        return true;
    }
}
