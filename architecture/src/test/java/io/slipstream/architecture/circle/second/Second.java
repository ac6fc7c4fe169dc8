package io.slipstream.architecture.circle.second;

import io.slipstream.architecture.circle.first.First;
import org.jspecify.annotations.Nullable;

/** The other half. */
public record Second(@Nullable First first) {}
