package io.slipstream.service.typed;

import io.slipstream.data.codec.Codec;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a handler knows about the command it applies, and what it can do besides replying. Each machine passes the same
 * object with every call, so a handler must not keep it.
 */
public final class Context {
    private final Contract contract;
    private final MemorySegment scratch = MemorySegment.ofArray(new long[(Output.MAX_LENGTH + 7) / Long.BYTES]);
    private @Nullable Output output;
    private @Nullable Request command;
    private boolean rejected;

    Context(Contract contract) {
        this.contract = contract;
    }

    /** Returns the session that has sent the command; 0 if nobody did, as when a timer fires. */
    public long session() {
        return command == null ? 0 : command.session();
    }

    /** Returns who has sent it, as the gateway has found out; empty if nobody was asked. */
    public String principal() {
        return command == null ? "" : command.principal();
    }

    /** Returns the command's place in the log; 0 for a query or when a timer fires. */
    public long sequence() {
        return command == null ? 0 : command.sequence();
    }

    /** Returns the time of the present log entry, in nanoseconds since 1970; during a query that of the last one. */
    public long timeNanos() {
        return output().timeNanos();
    }

    /**
     * Answers the command with a reason in place of a reply. What the handler has changed stays changed, so check
     * before you change. It is written {@code return context.reject("account 7 is closed")}.
     *
     * @param reason up to 1,024 bytes in UTF-8; the rest is cut
     * @return what the handler must return
     */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    public <R> R reject(String reason) {
        output().reject(reason);
        rejected = true;
        return null;
    }

    /**
     * Sends an event to a session; an unknown one is ignored, as it may have ended.
     *
     * @throws IllegalStateException                during a query
     * @throws IllegalArgumentException             if the contract does not have the event
     * @throws io.slipstream.data.EncodeException if it does not fit its schema or {@link Output#MAX_LENGTH}
     */
    public void send(long session, Event event) {
        output().event(session, scratch, 0, encode(contract.eventCodec(event.getClass()), event));
    }

    /** Publishes an event to all who subscribe to the topic; see {@link #send}. */
    public void publish(long topic, Event event) {
        output().publish(topic, scratch, 0, encode(contract.eventCodec(event.getClass()), event));
    }

    /** Sets a timer, or moves the one with that id; see {@link Output#schedule}. */
    public void schedule(long timer, long atNanos) {
        output().schedule(timer, atNanos);
    }

    /** Takes a timer back; returns whether it was set. */
    public boolean cancel(long timer) {
        return output().cancel(timer);
    }

    /** Returns random numbers that come again at every replay. They are no secrets. */
    public RandomGenerator random() {
        return output().random();
    }

    /** Returns the version that the log has come to; see {@link Output#version}. */
    public int version() {
        return output().version();
    }

    /** Returns what takes bytes in place of records. */
    public Output raw() {
        return output();
    }

    Context begin(@Nullable Request newCommand, Output newOutput) {
        command = newCommand;
        output = newOutput;
        rejected = false;
        return this;
    }

    boolean rejected() {
        return rejected;
    }

    <R> void reply(Codec<R> codec, R reply) {
        output().reply(scratch, 0, encode(codec, reply));
    }

    private <T> int encode(Codec<T> codec, T value) {
        return codec.encode(value, scratch, 0, Output.MAX_LENGTH);
    }

    private Output output() {
        if (output == null) {
            throw new IllegalStateException("a context is valid only during the call that got it");
        }
        return output;
    }

    void end() {
        output = null;
        command = null;
    }
}
