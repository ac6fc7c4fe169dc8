package io.slipstream.grid;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Optional;
import org.jspecify.annotations.Nullable;

/** The value of an entry in bytes; null if there is none. */
public record Value(
        @Optional @MaxLength(GridType.MAX_VALUE_BYTES) byte @Nullable [] bytes) {}
