package io.slipstream.exchange.wire;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.codec.Codec;

/** Answers a command; or a query, if it was refused. */
@Id(WireType.REPLY)
public interface CommandReply {
    /** Reads and writes it. */
    Codec<CommandReply> CODEC = Codec.of(CommandReply.class);

    /** Returns the instrument of the command; 0 if it could not be decoded. */
    @Id(1)
    int instrument();

    /** Sets the instrument. */
    CommandReply instrument(int instrument);

    /** Returns the order's id of the command; 0 if it could not be decoded. */
    @Id(2)
    long orderId();

    /** Sets the order's id. */
    CommandReply orderId(long orderId);

    /** Returns what has become of the order. */
    @Id(3)
    OrderStatus status();

    /** Sets what has become of the order. */
    CommandReply status(OrderStatus status);

    /** Returns why the command was refused, or {@link Rejection#NONE}. */
    @Id(4)
    Rejection rejection();

    /** Sets why it was refused. */
    CommandReply rejection(Rejection rejection);

    /** Returns how much this command has traded. */
    @Id(5)
    long filled();

    /** Sets how much this command has traded. */
    CommandReply filled(long filled);

    /** Returns how much of the order has not traded; {@link #status} says whether it rests. */
    @Id(6)
    long remaining();

    /** Sets how much has not traded. */
    CommandReply remaining(long remaining);
}
