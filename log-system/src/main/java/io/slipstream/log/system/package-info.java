/** {@link System.Logger} on the log of the process, {@link io.slipstream.log.LogSystem#shared}. */
@NullMarked
package io.slipstream.log.system;

import org.jspecify.annotations.NullMarked;
