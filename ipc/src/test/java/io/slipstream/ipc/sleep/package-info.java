/** Tests of the sleep until another process publishes. */
@NullMarked
package io.slipstream.ipc.sleep;

import org.jspecify.annotations.NullMarked;
