package io.slipstream.grid;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.service.typed.Query;

/** Asks for the value of a key. */
public record Get(@MaxLength(GridType.MAX_KEY_BYTES) String key) implements Query<Value> {}
