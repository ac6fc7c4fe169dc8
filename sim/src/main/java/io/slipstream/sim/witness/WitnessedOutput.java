package io.slipstream.sim.witness;

import io.slipstream.service.machine.Output;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.sim.world.Hash;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/** Hands on what a machine says, and lets its witness know. */
final class WitnessedOutput implements Output {
    private final Witness<?> witness;
    private Output real;
    private boolean isLive;
    private int replyBytes;
    private long reply;

    @SuppressWarnings("NullAway.Init")
    WitnessedOutput(Witness<?> witness) {
        this.witness = witness;
    }

    /** Goes on with another output; items of one that is not live are for one subscriber alone. */
    WitnessedOutput of(Output newReal, boolean newIsLive) {
        real = newReal;
        isLive = newIsLive;
        reply = Applied.NO_REPLY;
        replyBytes = 0;
        return this;
    }

    /** Returns the hash of the reply that was given since. */
    long reply() {
        return reply;
    }

    /** Returns how many bytes that has. */
    int replyBytes() {
        return replyBytes;
    }

    @Override
    public void reply(MemorySegment memory, long offset, int length) {
        real.reply(memory, offset, length);
        replyBytes = length;
        reply = Hash.of(memory, offset, length);
    }

    @Override
    public void event(long session, MemorySegment memory, long offset, int length) {
        real.event(session, memory, offset, length);
        witness.sent(session, Hash.of(memory, offset, length), length);
    }

    @Override
    public int longest(long session) {
        return real.longest(session);
    }

    @Override
    public void reject(String reason) {
        real.reject(reason);
        reply = Applied.rejected(reason);
        replyBytes = FailureNotice.text(reason).length;
    }

    @Override
    public void publish(long topic, MemorySegment memory, long offset, int length) {
        real.publish(topic, memory, offset, length);
        if (isLive) {
            witness.published(topic, Hash.of(memory, offset, length));
        }
    }

    @Override
    public void schedule(long timer, long atNanos) {
        real.schedule(timer, atNanos);
        witness.timers().put(timer, atNanos);
    }

    @Override
    public boolean cancel(long timer) {
        witness.timers().remove(timer);
        return real.cancel(timer);
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }

    @Override
    public int version() {
        return real.version();
    }

    @Override
    public long timeNanos() {
        return real.timeNanos();
    }
}
