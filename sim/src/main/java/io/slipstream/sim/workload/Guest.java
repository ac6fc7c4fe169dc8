package io.slipstream.sim.workload;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who speaks another protocol with the service, over a connection that fails. What a method throws is a broken
 * promise. For the one thread of a world.
 */
public interface Guest {
    /**
     * A connection was made, on which nothing was said yet.
     *
     * @param token that shows who the guest is; empty if nobody is asked
     */
    void onConnect(String token);

    /** Returns what to say next, as bytes that are sent as they are; null for nothing at present. */
    byte @Nullable [] say(RandomGenerator random);

    /** Takes what has come, perhaps in the middle of an answer; to be read to its end. */
    void hear(ByteBuffer bytes);

    /** Returns how many requests have no answer yet. */
    int open();

    /** The connection is lost: nobody knows what became of what has no answer yet. */
    void onLost();

    /** What was answered may be gone, since the service has lost its power and does not force its log. */
    default void onLoss() {}
}
