package io.slipstream.core.ring;

import org.jspecify.annotations.Nullable;

/**
 * Why a ring takes no more events.
 *
 * @param reason which consumer has stopped, and where
 * @param cause  what it has thrown, or null if it stopped on purpose
 */
record RingFailure(String reason, @Nullable Throwable cause) {
}
