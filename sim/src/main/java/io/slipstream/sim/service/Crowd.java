package io.slipstream.sim.service;

import io.slipstream.service.client.ClientThread;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.witness.Witness;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Principals;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * More clients than the service remembers sessions. Each comes for a moment and leaves without a word, so that sessions
 * are forgotten for newer ones. Where they may only look, each tries a command all the same. Either each has a machine
 * of its own, which dies when it leaves, or all of them are clients on one thread of one machine.
 */
final class Crowd implements ReplyHandler {
    private static final int WINDOW_BYTES = 4096;
    private static final long SHORTEST_VISIT_NANOS = 10_000_000;
    private static final long LONGEST_VISIT_NANOS = 300_000_000;
    private static final long LONGEST_GAP_NANOS = 40_000_000;

    private final World<?> world;
    private final Schedule schedule;
    private final Chance chance;
    private final int most;
    private final @Nullable ClientThread shared;
    private int left;
    private int welcomed;

    /**
     * Creates it.
     *
     * @param most how many sessions the service remembers
     */
    Crowd(World<?> world, Chance chance, int most) {
        this.world = world;
        this.schedule = world.schedule();
        this.chance = chance;
        this.most = most;
        this.left = 2 * most;
        this.shared = chance.random().nextBoolean() ? sharedThread() : null;
    }

    private SimulatedHost newMachine() {
        return new SimulatedHost(schedule, world.network(), Principals.VISITOR);
    }

    private ClientThread sharedThread() {
        try {
            return ClientThread.builder("crowd").machine(newMachine()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the next one come, and others behind it, until sessions were forgotten or nothing may go wrong any more. */
    void comes() {
        if (left == 0 || welcomed > most || world.isCalm()) {
            return;
        }
        left--;
        ClientThread thread = shared;
        SimulatedHost machine = newMachine();
        ServiceClient.Builder coming = ServiceClient.builder("127.0.0.1", World.PORT)
                .handler(this)
                .token(world.token(Principals.VISITOR))
                .windowBytes(WINDOW_BYTES);
        try {
            ServiceClient visitor = (thread == null ? coming.machine(machine) : coming.thread(thread)).begin();
            if (world.asksForTokens()) {
                MemorySegment command = MemorySegment.ofArray(new byte[Witness.ID_BYTES]);
                command.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, Witness.MARK | world.newId());
                visitor.offer(command, 0, Witness.ID_BYTES, 0);
            }
            schedule.after(chance.someNanos(SHORTEST_VISIT_NANOS, LONGEST_VISIT_NANOS), () -> leaves(machine, visitor));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        schedule.after(chance.someNanos(LONGEST_GAP_NANOS), this::comes);
    }

    private void leaves(SimulatedHost machine, ServiceClient visitor) {
        welcomed += visitor.wasConnected() ? 1 : 0;
        world.happens(Sometimes.SESSION_FORGOTTEN, welcomed > most);
        ClientThread thread = shared;
        if (thread == null) {
            world.network().kill(machine);
            machine.die();
            visitor.disconnect();
        } else {
            thread.execute(visitor::disconnect);
        }
    }

    @Override
    public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {
        world.finds("a visitor who may only look was answered");
    }

    @Override
    public void onFailure(long attachment, ServiceException failure) {
        world.happens(Sometimes.COMMAND_FORBIDDEN, failure.code() == FailureCode.FORBIDDEN);
    }

    @Override
    public void onBusy(long attachment, long retryAfterNanos) {}
}
