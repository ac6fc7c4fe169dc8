package io.slipstream.sim.service;

import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.workload.Guest;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Connects a guest, again and again, and carries what is said both ways. */
final class Talker {
    private static final int READ_BYTES = 1 << 12;
    private static final long LONGEST_TURN_NANOS = 20_000_000;
    private static final long RETRY_NANOS = 50_000_000;

    /* A connection may be lost without a word, and who only listens does not hear of that. */
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final World<?> world;
    private final Schedule schedule;
    private final String name;
    private final Guest guest;
    private final Chance acts;
    private final Chance says;
    private final SimulatedHost host;
    private final ByteBuffer input = ByteBuffer.allocate(READ_BYTES);
    private ByteBuffer output = ByteBuffer.allocate(0);
    private @Nullable SocketChannel channel;
    private long heardNanos;
    private boolean isDone;
    private boolean hasLeft;

    Talker(World<?> world, int number, Guest guest) {
        this.world = world;
        this.schedule = world.schedule();
        this.name = "guest-" + number;
        this.guest = guest;
        this.acts = schedule.chance(name + " acts");
        this.says = schedule.chance(name + " says");
        this.host = new SimulatedHost(schedule, world.network(), name);
        schedule.after(0, this::turn);
    }

    /** Says nothing any more. */
    void finish() {
        isDone = true;
    }

    /** Returns how many requests have no answer yet. */
    int open() {
        return guest.open();
    }

    /** What it was answered may be gone. */
    void loses() {
        guest.onLoss();
    }

    /** Leaves without a word. */
    void leave() {
        hasLeft = true;
        world.network().kill(host);
        host.die();
    }

    private void turn() {
        if (hasLeft) {
            return;
        }
        long pauseNanos = 1 + acts.random().nextLong(LONGEST_TURN_NANOS);
        try {
            if (host.pausedUntil() <= schedule.nanos()) {
                talk();
            }
        } catch (IOException e) {
            pauseNanos += RETRY_NANOS;
            lost();
        } catch (RuntimeException | AssertionError e) {
            world.finds(name + " has heard what cannot be: " + (e.getMessage() == null ? e : e.getMessage()));
        }
        schedule.after(pauseNanos, this::turn);
    }

    private void talk() throws IOException {
        SocketChannel present = channel;
        if (present == null) {
            if (isDone) {
                return;
            }
            present = connect();
            channel = present;
        }
        if (!present.isConnected()) {
            if (!present.finishConnect()) {
                return;
            }
            heardNanos = schedule.nanos();
            guest.onConnect(world.token(name));
            schedule.trace().note(name, "has connected", 0);
        }
        read(present);
        if (!output.hasRemaining() && !isDone) {
            byte[] next = guest.say(says.random());
            if (next != null) {
                schedule.trace().note(name, "says", next.length);
                output = ByteBuffer.wrap(next);
            }
        }
        present.write(output);
    }

    private SocketChannel connect() throws IOException {
        SocketChannel opened = host.network().openSocketChannel();
        try {
            opened.configureBlocking(false);
            opened.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), World.GUEST_PORT));
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private void read(SocketChannel from) throws IOException {
        int read;
        while ((read = from.read(input.clear())) > 0) {
            heardNanos = schedule.nanos();
            schedule.trace().note(name, "hears", read);
            guest.hear(input.flip());
        }
        if (read < 0) {
            throw new IOException("the service has closed the connection");
        }
        if (guest.open() > 0 && schedule.nanos() - heardNanos > PATIENCE_NANOS) {
            throw new IOException("the service has been silent for too long");
        }
    }

    private void lost() {
        SocketChannel present = channel;
        channel = null;
        output = ByteBuffer.allocate(0);
        if (present == null) {
            return;
        }
        if (present.isConnected()) {
            schedule.trace().note(name, "has lost the connection", guest.open());
            guest.onLost();
        }
        try {
            present.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
