package io.slipstream.sim.workload;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One client of a simulated service that remembers: it chooses its next command by what it has heard, and checks what
 * it hears against a model of its own.
 *
 * <pre>{@code
 * Simulation.ofClients(Bank::new, number -> new Saver(number)).runs(1_000);
 * }</pre>
 *
 * <p>Each client of each life has an object of its own, which lives as long as that life: it also knows what was said
 * before its client died and another one took its place. All its methods run on the thread of that life. They must not
 * depend on anything but what they are given. A {@link RuntimeException} or an {@link AssertionError} from a method
 * that hears something is a finding.
 */
@FunctionalInterface
public interface Workload {
    /**
     * Chooses the next command.
     *
     * @param random where all chance must come from
     * @return its payload, an array of its own; or null to say nothing at present
     */
    byte @Nullable [] next(RandomGenerator random);

    /**
     * Chooses the next query; called whenever {@link #next} was, and may have been called several times.
     *
     * @param random where all chance must come from
     * @return its payload, an array of its own; or null to ask nothing at present
     */
    default byte @Nullable [] ask(RandomGenerator random) {
        return null;
    }

    /**
     * A command or a query has come to its end; each does once.
     *
     * @param said the array that {@link #next} or {@link #ask} has returned
     */
    default void onAnswer(byte[] said, Answer answer) {}

    /** The machine has sent an event to the session. */
    default void onEvent(byte[] event) {}

    /** Events may be missing from now on, or since the last one: the service keeps no more, or a thief heard them. */
    default void onMissedEvents() {}

    /** What is known of a topic is void: the items that follow say what is there, and then what is new. */
    default void onSnapshot(long topic) {}

    /** An item of a topic. */
    default void onItem(long topic, byte[] item) {}

    /**
     * A session begins: the first one, or that of a client that takes the place of one which has died. A command of
     * the former session whose outcome is unknown may still be applied.
     */
    default void onSession() {}

    /**
     * The service has lost its power, and answers before the disk has forced: what was answered may be gone, the newest
     * first. A new session begins.
     */
    default void onLoss() {}

    /** Nothing fails any more and all is answered; nothing more is said. The place to compare what came in the end. */
    default void onEnd() {}
}
