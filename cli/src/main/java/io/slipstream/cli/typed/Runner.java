package io.slipstream.cli.typed;

import io.slipstream.cli.load.Load;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Carries out the steps of a load. */
interface Runner extends AutoCloseable {
    /** Offers so many commands a second for {@code time}; {@code each} hears of each second. */
    Measured run(double rate, Duration time, Load.Reporter each) throws IOException;

    /** Returns what a command has failed with, or null. */
    @Nullable
    String lastFailure();

    /** Lets the present step end soon; callable by any thread. */
    void stop();

    @Override
    void close();
}
