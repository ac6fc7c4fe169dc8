package io.slipstream.grid;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.service.typed.Command;

/** Puts an entry; answers with the former value. */
public record Put(
        @MaxLength(GridType.MAX_KEY_BYTES) String key,
        @MaxLength(GridType.MAX_VALUE_BYTES) byte[] value) implements Command<Value> {}
