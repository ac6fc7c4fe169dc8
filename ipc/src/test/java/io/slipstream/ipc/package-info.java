/** Tests of shared memory between processes. */
@NullMarked
package io.slipstream.ipc;

import org.jspecify.annotations.NullMarked;
