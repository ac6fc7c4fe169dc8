package io.slipstream.sim.tally;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How many commands somebody knows to have been applied: that many must be there for whoever asks afterwards, at
 * whichever machine.
 */
public final class Floor {
    private final Consumer<String> onWrong;
    private long answered;
    private long commands;

    /**
     * Creates it before the first command.
     *
     * @param onWrong is told of an answer from before what was known
     */
    public Floor(Consumer<String> onWrong) {
        this.onWrong = onWrong;
    }

    long commands() {
        return commands;
    }

    void answered() {
        answered++;
        commands = Math.max(commands, answered);
    }

    /** An answer has that many, and was asked for when {@code known} were known. */
    void heard(long count, @Nullable Long known) {
        if (known != null && count < known) {
            onWrong.accept("a query was answered with " + count + " commands when " + known + " were known");
        }
        commands = Math.max(commands, count);
    }
}
