package io.slipstream.grid;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Optional;
import io.slipstream.service.typed.Event;
import org.jspecify.annotations.Nullable;

/** An entry was put, changed or removed: its value before and after, null for none. */
public record Changed(
        @MaxLength(GridType.MAX_KEY_BYTES) String key,
        @Optional @MaxLength(GridType.MAX_VALUE_BYTES) byte @Nullable [] former,
        @Optional @MaxLength(GridType.MAX_VALUE_BYTES) byte @Nullable [] value)
        implements Event {}
