package io.slipstream.cli.console;

import org.jspecify.annotations.Nullable;

/** Knows which values of options were not typed, and where they stand. The default values of a command can have one. */
public interface ValueOrigin {
    /** Returns where the value of an option stands, such as {@code app.toml, line 3: port}; null if it was typed. */
    @Nullable
    String of(String option);
}
