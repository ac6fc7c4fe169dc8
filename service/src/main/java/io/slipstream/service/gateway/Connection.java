package io.slipstream.service.gateway;

import io.slipstream.service.host.Host;
import io.slipstream.service.machine.Output;
import io.slipstream.service.net.Link;
import io.slipstream.service.net.MemoryLink;
import io.slipstream.service.net.PlainLink;
import io.slipstream.service.net.TlsLink;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.security.Identity;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Responses;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One socket with what was read and not yet understood, and what is to be written. It holds buffers only while there is
 * something in them.
 *
 * <pre>
 *   output   0 ....... start ########## end ........ capacity
 *            written          unread           room
 *
 *   input    0 ....... inputStart ########## ........... capacity
 *            understood           unparsed    room
 * </pre>
 *
 * A long request is read into the buffer that keeps it, which grows to twice the size, so that each of its bytes is
 * copied a bounded number of times. What is short is moved to where all connections are read, which has room for more
 * at once.
 *
 * <p>What is unread moves to the front only when at least as much was written, so that the cost for each byte is
 * bounded, however little the socket takes at a time.
 */
final class Connection implements Responses {
    /** Room beyond the limit, for the message that says that the limit was reached. */
    private static final int LAST_WORDS_BYTES = 2048;

    /** What is kept is moved to where all are read if it has no more bytes than that. */
    private static final int MOVED_BYTES = Buffers.SMALLEST;

    /** The least room to read into. */
    private static final int READ_BYTES = TlsLink.maxPacketBytes();

    private static final MemorySegment NOTHING = MemorySegment.NULL;

    /** What {@link #read} returns if there is no memory for more. */
    static final int NO_MEMORY = -2;

    final long id;

    /** Whether the client has ended its session: nothing is left that its connection could leave. */
    boolean leaving;

    /** The topics whose items it gets; only {@link Subscriptions} changes them. */
    final Set<Long> topics = new HashSet<>();

    final long openedAtNanos;
    final Conversation conversation;
    private final Host host;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final int maxInputBytes;
    private final int maxOutputBytes;
    private final Buffers buffers;
    private @Nullable Buffer input;
    private int inputStart;
    private int inputBytes;
    private boolean readsInPlace;
    private long copiedBytes;
    private @Nullable Buffer output;
    private MemorySegment outputMemory = NOTHING;
    private int capacity;
    private int start;
    private int end;
    private boolean lastWords;

    /* How much of what is unread came in pieces, and counts apart. */
    private int unreadPieces;
    private Link link;
    private long closingSinceNanos;
    private boolean ended;
    private long endedAtNanos;

    /** Who the client is; null before it has logged in. */
    @Nullable
    Identity identity;

    /** What it may still send; null for any amount. */
    @Nullable
    Allowance allowance;

    /** Which rules the client keeps; see {@link io.slipstream.service.protocol.Hello#REVISION}. */
    int revision;

    /** The client has said what its records look like. */
    boolean toldSchema;

    private long heardNanos;

    /** The session that this connection serves, or 0 before it has one. */
    long session;

    /** How often the session had been resumed when this connection got it; see {@link Message#resumption}. */
    int resumption;

    /** A session was asked for. */
    boolean opening;

    /** The log had no room for the session that was asked for; queries are taken without one. */
    boolean outOfLog;

    /** Before then no session is to be asked for. */
    long notBeforeNanos;

    /** The session ends with the connection. */
    boolean ephemeral;

    /** How many requests are not answered yet. */
    int pending;

    /** Where it is in the list of open connections. */
    int index;

    boolean dirty;

    /** The socket has not taken all that was offered; the selector tells when it takes more. */
    boolean blocked;

    /** Nothing is taken any more; the connection closes when the client has what was written. */
    boolean closing;

    /** A request is there that has to wait; nothing is read meanwhile. */
    boolean held;

    /** It is held for what may never come; its end is looked for. */
    boolean idle;

    /** The client has left too much unread. */
    boolean tooSlow;

    /** A message has come whose payload goes on in the next one. */
    boolean inPieces;

    /** The socket has failed. */
    boolean broken;

    Connection(
            long id,
            Host host,
            SocketChannel channel,
            SelectionKey key,
            Conversation conversation,
            int maxInputBytes,
            int maxOutputBytes,
            Buffers buffers) {
        this.id = id;
        this.host = host;
        this.openedAtNanos = host.nanoTime();
        this.notBeforeNanos = openedAtNanos;
        this.heardNanos = openedAtNanos;
        this.channel = channel;
        this.link = new PlainLink(channel);
        this.key = key;
        this.conversation = conversation;
        this.maxInputBytes = maxInputBytes;
        this.maxOutputBytes = maxOutputBytes;
        this.buffers = buffers;
    }

    /** From now on bytes go over {@code newLink}; nothing was written before. */
    void secure(Link newLink) {
        link = newLink;
    }

    /** Returns the certificates of the client, its own first; none if it has shown none. */
    List<X509Certificate> certificates() {
        return link.certificates();
    }

    /** Returns where the client is. */
    String remote() {
        try {
            return isShared() ? "shared memory" : String.valueOf(channel.getRemoteAddress());
        } catch (IOException e) {
            return "an address that is unknown";
        }
    }

    /** Speaks in plain bytes with one that does not speak TLS, to tell it so. */
    void becomePlain() {
        link = new PlainLink(channel);
    }

    /**
     * Reads behind what was kept; {@link #inputMemory} tells where that is afterwards.
     *
     * @param into       what all connections are read into, with {@code intoMemory} for the same bytes
     * @return how many bytes were read, -1 at the end of the stream, or {@link #NO_MEMORY}
     */
    int read(ByteBuffer into, MemorySegment intoMemory) throws IOException {
        readsInPlace = inputBytes > MOVED_BYTES;
        if (readsInPlace) {
            Buffer own = roomToRead();
            return own == null
                    ? NO_MEMORY
                    : read(own.channelBytes.limit(own.bytes()).position(inputStart + inputBytes));
        }
        if (input != null) {
            copy(input.memory, inputStart, intoMemory, inputBytes);
        }
        return read(into.limit(into.capacity()).position(inputBytes));
    }

    private int read(ByteBuffer into) throws IOException {
        boolean wasEstablished = link.isEstablished();
        int read = link.read(into);
        blocked &= wasEstablished == link.isEstablished();
        return read;
    }

    /** Returns the buffer of what is kept, with room behind it; null if there is no memory for that. */
    private @Nullable Buffer roomToRead() {
        Buffer own = input;
        if (own == null || own.bytes() - inputStart - inputBytes >= READ_BYTES) {
            return own;
        }
        if (inputStart >= inputBytes && own.bytes() - inputBytes >= READ_BYTES) {
            copy(own.memory, inputStart, own.memory, inputBytes);
            inputStart = 0;
            return own;
        }
        int most = Math.max(maxInputBytes, inputBytes) + READ_BYTES;
        Buffer larger = buffers.lease(this, Math.min(Math.max(2 * inputBytes, inputBytes + READ_BYTES), most));
        if (larger != null) {
            replaceInput(own.memory, inputStart, larger, inputBytes);
        }
        return larger;
    }

    private void replaceInput(MemorySegment memory, int offset, Buffer with, int bytes) {
        copy(memory, offset, with.memory, bytes);
        dropInput();
        input = with;
        inputBytes = bytes;
    }

    private void copy(MemorySegment from, int offset, MemorySegment to, int bytes) {
        MemorySegment.copy(from, offset, to, 0, bytes);
        copiedBytes += bytes;
    }

    /** Returns how many bytes that were read have been copied so far. */
    long copiedBytes() {
        return copiedBytes;
    }

    /** Returns whether what was read last is behind what was kept, and not where all connections are read. */
    boolean readsInPlace() {
        return readsInPlace;
    }

    /** Returns where in {@link #inputMemory} the bytes begin that were not understood yet. */
    int inputStart() {
        return inputStart;
    }

    /** Returns how many bytes were read and not understood yet. */
    int unparsed() {
        return inputBytes;
    }

    /** Returns where those bytes are. */
    MemorySegment inputMemory() {
        return input == null ? NOTHING : input.memory;
    }

    /**
     * Keeps what was read and not understood yet, from where all connections are read; returns whether there was memory
     * for it. If not, nothing is kept.
     */
    boolean keep(MemorySegment memory, int offset, int bytes) {
        Buffer own = input;
        if (bytes == 0 || !isOpen()) {
            dropInput();
        } else if (own != null && own.bytes() >= bytes) {
            copy(memory, offset, own.memory, bytes);
            inputStart = 0;
            inputBytes = bytes;
        } else {
            Buffer larger = buffers.lease(this, bytes);
            if (larger == null) {
                dropInput();
                return false;
            }
            replaceInput(memory, offset, larger, bytes);
        }
        return true;
    }

    /** Keeps what was not understood yet of what is in {@link #inputMemory}. */
    void keepInPlace(int offset, int bytes) {
        Buffer own = input;
        if (own == null || bytes == 0 || !isOpen()) {
            dropInput();
            return;
        }
        inputStart = offset;
        inputBytes = bytes;
        if (offset >= bytes && Buffers.size(bytes) <= own.bytes() / 4) {
            // As much was understood as is copied, so that the cost for each byte stays bounded.
            Buffer smaller = buffers.lease(this, bytes);
            if (smaller != null) {
                replaceInput(own.memory, offset, smaller, bytes);
            }
        }
    }

    /** Nothing counts as unread that was not offered to the socket. */
    @Override
    public long claim(int length) {
        if (length > capacity - end && !makeRoom(length)) {
            return NO_ROOM;
        }
        int offset = end;
        end += length;
        return offset;
    }

    @Override
    public int room() {
        return maxOutputBytes - (end - start);
    }

    @Override
    public MemorySegment memory() {
        return outputMemory;
    }

    /**
     * Offers the socket what is unread, if that is much, and returns whether it still is so much that no more items of
     * feeds are sent: what is unread must stay bounded.
     */
    boolean staysBehind() {
        int most = maxOutputBytes / 4;
        if (end - start > most && !blocked && isOpen()) {
            try {
                flush();
            } catch (IOException e) {
                broken = true;
            }
        }
        return end - start > most;
    }

    /** Returns whether so little is unread that there is room for the items of feeds again. */
    boolean hasCaughtUp() {
        return end - start <= maxOutputBytes / 16;
    }

    /** Returns whether more than half of what a client may leave unread is unread. */
    boolean isLagging() {
        return end - start > maxOutputBytes / 2;
    }

    boolean hasOutput() {
        return end > start || link.isPending();
    }

    /** Writes as much as the socket takes. */
    void flush() throws IOException {
        Buffer of = output;
        if (of != null && end > start) {
            int written = link.write(of.channelBytes.limit(end).position(start));
            if (ended && written > 0) {
                endedAtNanos = host.nanoTime();
            }
            if (written > 0 && !isRead()) {
                heard(host.nanoTime());
            }
            start += written;
            if (start == end) {
                start = 0;
                end = 0;
            }
        }
        if (link.isPending()) {
            link.flush();
        }
        unreadPieces = Math.min(unreadPieces, end - start);
        blocked = hasOutput();
    }

    /** What was written last is a piece of a long message, which a client may leave unread beyond its limit. */
    void tookPiece(int length) {
        unreadPieces = Math.min(unreadPieces + length, Output.MAX_LENGTH_UNKEPT);
    }

    /** Gives back the buffer that was written from, if nothing is left in it. */
    void releaseIdle() {
        if (output != null && start == end) {
            dropOutput();
        }
    }

    /** Returns whether it is read from at present. */
    boolean isRead() {
        return !closing && !ended && (!held || idle && inputBytes < maxInputBytes) && !isLagging();
    }

    /** Returns whether the link can carry bytes by now: TLS, or the shared memory, has begun. */
    boolean isEstablished() {
        return link.isEstablished();
    }

    /** Returns whether bytes go through shared memory: such a stream ends only with the client's process. */
    boolean isShared() {
        return link instanceof MemoryLink;
    }

    /** The client has ended the stream: it sends nothing more, and may still read. */
    void end() {
        if (!ended) {
            ended = true;
            endedAtNanos = host.nanoTime();
        }
    }

    /** Returns whether the client has ended the stream and has the answers to all that it asked. */
    boolean isDone() {
        return ended && pending == 0 && (!held || idle) && !(opening && session == 0);
    }

    /** Returns for how long a client that sends nothing more has neither got nor taken what it is owed. */
    long endedForNanos(long nowNanos) {
        return ended ? nowNanos - endedAtNanos : 0;
    }

    /** The client has given a sign of life: it has sent something, or has read while nothing was read of it. */
    void heard(long nowNanos) {
        heardNanos = nowNanos;
    }

    /**
     * Returns whether a client that has promised to give signs of life has given none for so long. One that the gateway
     * does not listen to at present, because it has to wait, is not silent.
     */
    boolean isSilent(long nowNanos, long nanos) {
        if (!isRead() && !isLagging()) {
            heardNanos = nowNanos;
        }
        return revision > 0 && nowNanos - heardNanos > nanos;
    }

    /** The selector has something of the socket; returns whether this is to be read from now. */
    boolean onReady() throws IOException {
        link.onReady();
        return isRead();
    }

    /** Tells the selector what this connection waits for. */
    void updateInterest() {
        int wanted = link.interest(isRead(), end > start);
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    void close() {
        if (isOpen() && allowance != null) {
            allowance.leave();
        }
        try {
            link.close();
        } catch (IOException e) {
            // Nothing is left to do for a socket that cannot even be closed.
        }
        dropInput();
        dropOutput();
    }

    /** Sets what it may still send, in place of what another login has set. */
    void allowance(@Nullable Allowance newAllowance) {
        if (allowance != null) {
            allowance.leave();
        }
        allowance = newAllowance;
    }

    /** Allows one more message, beyond the limit. */
    void allowLastWords() {
        lastWords = true;
        tooSlow = false;
    }

    /**
     * Makes {@code spare} the place of what is written before the end, which takes no memory; returns false if the
     * client has not taken all that was written before, and will hear no more.
     */
    boolean endsIn(Buffer spare) {
        if (!isOpen() || broken || !isEstablished()) {
            return false;
        }
        try {
            flush();
        } catch (IOException e) {
            broken = true;
        }
        if (broken || hasOutput()) {
            return false;
        }
        dropOutput();
        output = spare;
        outputMemory = spare.memory;
        capacity = spare.bytes();
        return true;
    }

    /** Returns how many bytes of memory it holds. */
    long heldBytes() {
        return (input == null ? 0L : input.bytes()) + capacity;
    }

    /** Lets the connection close when the client has what was written. */
    void closeWhenFlushed() {
        if (!closing) {
            closing = true;
            closingSinceNanos = host.nanoTime();
        }
    }

    /** Returns for how long the client has not taken what was written before the end. */
    long closingForNanos(long nowNanos) {
        return closing ? nowNanos - closingSinceNanos : 0;
    }

    private boolean makeRoom(int length) {
        if (!isOpen() || broken || tooSlow) {
            return false;
        }
        try {
            flush();
        } catch (IOException e) {
            broken = true;
            return false;
        }
        int unread = end - start;
        if (unread + length > (long) maxOutputBytes + unreadPieces + (lastWords ? LAST_WORDS_BYTES : 0)) {
            tooSlow = true;
            return false;
        }
        if (length <= capacity - end) {
            return true;
        }
        if (start >= capacity / 2 && unread + length <= capacity) {
            moveTo(outputMemory, unread);
            return true;
        }
        return grow(unread, length);
    }

    private boolean grow(int unread, int length) {
        Buffer larger = buffers.lease(this, Math.max(unread + length, Math.min(2 * capacity, 2 * maxOutputBytes)));
        if (larger == null || !isOpen()) {
            tooSlow = true;
            return false;
        }
        moveTo(larger.memory, unread);
        Buffer former = output;
        output = larger;
        outputMemory = larger.memory;
        capacity = larger.bytes();
        if (former != null) {
            buffers.release(former);
        }
        return true;
    }

    private void moveTo(MemorySegment to, int unread) {
        MemorySegment.copy(outputMemory, start, to, 0, unread);
        start = 0;
        end = unread;
    }

    private void dropInput() {
        if (input != null) {
            buffers.release(input);
            input = null;
        }
        inputStart = 0;
        inputBytes = 0;
    }

    private void dropOutput() {
        Buffer of = output;
        output = null;
        // The spare one was never leased.
        if (of != null && of.owner != null) {
            buffers.release(of);
        }
        outputMemory = NOTHING;
        capacity = 0;
        start = 0;
        end = 0;
    }
}
