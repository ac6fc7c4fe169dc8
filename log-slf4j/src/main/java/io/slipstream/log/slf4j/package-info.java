/**
 * SLF4J 2 on the log of the process, {@link io.slipstream.log.LogSystem#shared}.
 *
 * <p>What SLF4J boxes and packs into arrays at the call stays as it is; the rest is as with {@link
 * io.slipstream.log.Log}. Markers become the
 * key-value {@code marker}, the MDC and the key-values of the fluent API key-values of the event.
 */
@NullMarked
package io.slipstream.log.slf4j;

import org.jspecify.annotations.NullMarked;
