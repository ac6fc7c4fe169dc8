package io.slipstream.grid;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.service.typed.Command;

/** Removes an entry; answers with the former value. */
public record Remove(@MaxLength(GridType.MAX_KEY_BYTES) String key) implements Command<Value> {}
