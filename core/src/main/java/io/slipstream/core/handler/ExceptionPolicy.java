package io.slipstream.core.handler;

import java.lang.System.Logger;
import java.util.Objects;

/** Decides what a stage does when its handler has thrown. Called by the stage's thread. */
@FunctionalInterface
public interface ExceptionPolicy {
    /**
     * Decides.
     *
     * @param stage    name of the stage
     * @param thrown   what the handler has thrown
     * @param sequence position of the event, or of the first of a range
     * @param attempt  how often this event has failed, from 1, with no other event of the stage failing in between: two
     *                 events of a batch that fail by turns, since each failure is answered with {@link Action#REWIND},
     *                 begin at 1 each time
     * @return {@link Action#CONTINUE} to pass the event as handled; {@link Action#STOP} to stop the graph at the event,
     *         which is not passed; {@link Action#RETRY} or {@link Action#REWIND} to try again
     */
    Action onException(String stage, Throwable thrown, long sequence, int attempt);

    /**
     * Stops the graph; publishers fail with the reason. This is the default, because it never loses anything silently.
     */
    static ExceptionPolicy stop() {
        return (stage, thrown, sequence, attempt) -> Action.STOP;
    }

    /**
     * Logs at level ERROR, by {@link System.Logger} of this interface's name, and goes on with the next event or frame.
     */
    static ExceptionPolicy logAndContinue() {
        Logger logger = System.getLogger(ExceptionPolicy.class.getName());
        return (stage, thrown, sequence, attempt) -> {
            logger.log(Logger.Level.ERROR, "stage " + stage + " failed at " + sequence + " and goes on", thrown);
            return Action.CONTINUE;
        };
    }

    /** Tries {@code times} more, then does what {@code otherwise} says. */
    static ExceptionPolicy retry(int times, ExceptionPolicy otherwise) {
        Objects.requireNonNull(otherwise, "otherwise");
        if (times < 1) {
            throw new IllegalArgumentException("retry at least once, not " + times + " times");
        }
        return (stage, thrown, sequence, attempt) ->
                attempt <= times ? Action.RETRY : otherwise.onException(stage, thrown, sequence, attempt);
    }
}
