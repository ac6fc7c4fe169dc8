package io.slipstream.architecture.circle.first;

import io.slipstream.architecture.circle.second.Second;

/** Half of the circle that the check must find. */
public record First(Second second) {}
