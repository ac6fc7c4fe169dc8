package io.slipstream.cluster.config;

/** What a test does to one member; its threads ask all the time. In production there is {@link #NONE}. */
public interface Disturbance {
    /** Leaves the member alone. */
    Disturbance NONE = new Disturbance() {};

    /** Returns whether what the member sends to others is lost. */
    default boolean isMute() {
        return false;
    }

    /** Returns whether what others send to the member is lost. */
    default boolean isDeaf() {
        return false;
    }

    /** Called by the thread that writes the log to the disk, in each of its rounds; it may block for a while. */
    default void diskRound() {}

    /** Called by each thread of the member in each of its rounds; it may block for a while. */
    default void round() {}
}
