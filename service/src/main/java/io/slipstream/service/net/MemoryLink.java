package io.slipstream.service.net;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.IpcSubscriber;
import io.slipstream.ipc.Start;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes through shared memory: a channel each way, and a socket that carries no data.
 *
 * <pre>
 *            commands  ━━━▶
 *   client   answers   ◀━━━   service
 *            socket    ◀──▶   a byte ends the other one's sleep; its end is the death of the other process
 * </pre>
 *
 * While both sides are awake nothing goes over the socket. One that is about to sleep in its selector arms its reader,
 * and the next publication of the other one writes a byte. One that has no room asks by another byte to be told when
 * there is some. The kernel closes the socket of a process that dies.
 */
public final class MemoryLink implements Link {
    private static final long MAGIC = 0x314b_4e4c_5049_4c53L; // "SLIPLNK1"
    private static final int RING_BYTES = 1 << 18;
    private static final int PARTIES = 6;
    private static final int PIECE_BYTES = 1 << 14;
    private static final int SPINS = 400;
    private static final byte WAKE = 'W';
    private static final byte TELL_ROOM = 'R';

    private final SocketChannel socket;
    private final Path door;
    private final ByteBuffer bells = ByteBuffer.allocateDirect(64);
    private final ByteBuffer bell = ByteBuffer.allocateDirect(1);
    private final ByteBuffer knock = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer rest = ByteBuffer.allocateDirect(PIECE_BYTES).limit(0);
    private final FrameHandler taker = this::take;
    private List<Path> files = List.of();
    private List<IpcChannel> channels = List.of();
    private @Nullable IpcSubscriber in;
    private @Nullable IpcPublisher out;
    private ByteBuffer inMemory = bells;
    private ByteBuffer outMemory = bells;
    private ByteBuffer into = bells;
    private boolean serves;
    private boolean ended;
    private boolean wanted;
    private boolean wantsRoom;

    private MemoryLink(SocketChannel socket, Path door) {
        this.socket = socket;
        this.door = door;
    }

    /**
     * Returns how a thread waits that serves such links, where others wait as {@code given} says. If that spins before
     * it parks, this spins for longer, about as long as it takes to wake a halted processor (50 microseconds): two
     * sides that answer each other never meet otherwise, as each falls asleep while the other one is being woken. A
     * waiter spins less by itself where that is in vain.
     */
    public static WaitStrategy waiting(WaitStrategy given) {
        return given.wakeable() && given.spins() > 0
                ? new WaitStrategy(
                        Math.max(given.spins(), SPINS),
                        given.yields(),
                        given.minSleepNanos(),
                        given.maxSleepNanos(),
                        true)
                : given;
    }

    /** Returns the service's side of what has knocked at {@code door}; established when the client has said where. */
    public static MemoryLink accepted(SocketChannel socket, Path door) {
        MemoryLink link = new MemoryLink(socket, door);
        link.serves = true;
        return link;
    }

    /**
     * Knocks at {@code door}.
     *
     * @param id of the channels, which nobody else has used
     */
    public static MemoryLink knock(Path door, long id) throws IOException {
        SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
        MemoryLink link = new MemoryLink(socket, door);
        try {
            socket.configureBlocking(false);
            if (!socket.connect(UnixDomainSocketAddress.of(MemoryDoor.socket(door)))) {
                throw new IOException("the service takes no connections at present");
            }
            ChannelSettings settings = ChannelSettings.onePublisher(RING_BYTES).withParties(PARTIES);
            link.attach(IpcChannel.create(MemoryDoor.answers(door, id), settings), true);
            link.attach(IpcChannel.create(MemoryDoor.commands(door, id), settings), false);
            link.knock.putLong(MAGIC).putLong(id).flip();
            while (link.knock.hasRemaining()) {
                socket.write(link.knock);
            }
            return link;
        } catch (IOException | RuntimeException e) {
            link.close();
            throw new IOException("cannot reach a service by shared memory at " + door + ": " + e.getMessage(), e);
        }
    }

    /** Returns the socket, whose end is the end of the link. */
    public SocketChannel socket() {
        return socket;
    }

    private void attach(IpcChannel channel, boolean reads) throws IOException {
        channels = new ArrayList<>(channels);
        channels.add(channel);
        String name = serves ? "service" : "client";
        if (reads) {
            IpcSubscriber reader = channel.newSubscriber(name, Start.OLDEST);
            // From here on the peer knows that this side may sleep; at its first sleep it might see that too late.
            reader.arm();
            reader.disarm();
            in = reader;
            inMemory = channel.memory().asByteBuffer();
        } else {
            out = channel.newPublisher(name, WaitStrategy.backoff(), this::wakePeer);
            outMemory = channel.memory().asByteBuffer();
        }
    }

    /** Reads what the socket has brought; called when the selector says that there is something. */
    @Override
    public void onReady() throws IOException {
        if (serves && in == null) {
            readKnock();
            return;
        }
        int read = readBells();
        for (int i = 0; i < read; i++) {
            wanted |= bells.get(i) == TELL_ROOM;
            wantsRoom &= bells.get(i) != WAKE;
        }
        if (wanted && !hasInput()) {
            tellRoom();
        }
    }

    private int readBells() {
        try {
            int read = socket.read(bells.clear());
            ended |= read < 0;
            return read;
        } catch (IOException e) {
            // The kernel says "reset", not "end", of a process that died before it had read what was written to it.
            ended = true;
            return -1;
        }
    }

    private void readKnock() throws IOException {
        ended |= socket.read(knock) < 0;
        if (knock.hasRemaining()) {
            return;
        }
        if (knock.getLong(0) != MAGIC) {
            throw new IOException("what has knocked at " + door + " is no client of this version");
        }
        long id = knock.getLong(Long.BYTES);
        files = List.of(MemoryDoor.commands(door, id), MemoryDoor.answers(door, id));
        attach(IpcChannel.open(files.getLast()), false);
        attach(IpcChannel.open(files.getFirst()), true);
    }

    /** Returns whether {@link #read} would bring something, or the end. */
    public boolean hasInput() {
        IpcSubscriber reader = in;
        try {
            return rest.hasRemaining() || ended || reader != null && !reader.isEmpty();
        } catch (IllegalStateException e) {
            // read() says what is wrong.
            return true;
        }
    }

    /** Returns whether {@link #write} has found no room, and nobody has said since that there is some. */
    public boolean waitsForRoom() {
        return wantsRoom && !ended;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int before = target.position();
        IpcSubscriber reader = in;
        if (reader == null) {
            return ended ? -1 : 0;
        }
        int fromRest = Math.min(rest.remaining(), target.remaining());
        target.put(before, rest, rest.position(), fromRest).position(before + fromRest);
        rest.position(rest.position() + fromRest);
        into = target;
        try {
            while (target.hasRemaining() && reader.poll(taker, 1) > 0) {
                // The handler has taken it.
            }
            tellRoom();
        } catch (IllegalStateException | InternalError e) {
            // An InternalError is what the JVM throws when the peer has truncated the file.
            throw new IOException(e.getMessage(), e);
        }
        int bytes = target.position() - before;
        return bytes == 0 && ended ? -1 : bytes;
    }

    private void take(MemorySegment memory, long offset, int length, boolean endOfBatch) {
        int at = (int) offset + Frame.HEADER_BYTES;
        int bytes = length - Frame.HEADER_BYTES;
        int now = Math.min(bytes, into.remaining());
        into.put(into.position(), inMemory, at, now).position(into.position() + now);
        if (now < bytes) {
            if (bytes - now > rest.capacity()) {
                throw new IllegalStateException("a piece of " + bytes + " bytes came through shared memory; there are "
                        + PIECE_BYTES + " at most");
            }
            rest.clear().put(0, inMemory, at + now, bytes - now).limit(bytes - now);
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        IpcPublisher writer = out;
        if (writer == null) {
            return 0;
        }
        if (ended) {
            throw new IOException("the other process has gone");
        }
        int before = from.position();
        try {
            while (from.hasRemaining()) {
                int bytes = Math.min(from.remaining(), PIECE_BYTES);
                long claim = writer.tryClaim(bytes);
                if (claim == IpcPublisher.NO_ROOM) {
                    askForRoom();
                    break;
                }
                outMemory.put((int) writer.messageOffset(claim), from, from.position(), bytes);
                from.position(from.position() + bytes);
                writer.publish(claim);
            }
        } catch (IllegalStateException | InternalError e) {
            throw new IOException(e.getMessage(), e);
        }
        return from.position() - before;
    }

    private void askForRoom() {
        if (!wantsRoom) {
            wantsRoom = true;
            ring(TELL_ROOM);
        }
    }

    private void tellRoom() {
        IpcSubscriber reader = in;
        if (wanted && reader != null && reader.isEmpty()) {
            wanted = false;
            ring(WAKE);
        }
    }

    private void wakePeer() {
        ring(WAKE);
    }

    private void ring(byte what) {
        try {
            socket.write(bell.clear().put(0, what));
        } catch (IOException e) {
            // The peer has gone; the socket says so to whoever reads.
        }
    }

    /** Lets the peer ring before this side sleeps; returns whether it may, because nothing is here to be read. */
    public boolean arm() {
        IpcSubscriber reader = in;
        if (reader != null) {
            reader.arm();
        }
        return !hasInput();
    }

    /** This side is awake. */
    public void disarm() {
        IpcSubscriber reader = in;
        if (reader != null) {
            reader.disarm();
        }
    }

    @Override
    public boolean isEstablished() {
        return out != null;
    }

    @Override
    public int interest(boolean reads, boolean writes) {
        return ended ? 0 : SelectionKey.OP_READ;
    }

    /** The client removes the files, or the service if the client has died: it waits for nobody here. */
    @Override
    public void close() throws IOException {
        try (socket) {
            if (!ended && socket.isConnected()) {
                readBells();
            }
            for (IpcChannel channel : channels) {
                if (serves) {
                    channel.leave();
                } else {
                    channel.close();
                }
            }
            if (ended) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
        } finally {
            channels = List.of();
        }
    }
}
