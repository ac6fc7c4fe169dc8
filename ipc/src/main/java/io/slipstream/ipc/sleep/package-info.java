/**
 * Sleep until another process publishes: a futex in the mapped file, where native access is allowed.
 */
@NullMarked
package io.slipstream.ipc.sleep;

import org.jspecify.annotations.NullMarked;
