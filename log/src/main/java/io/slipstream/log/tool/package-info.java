/** Reads a binary log from outside, also one that is written to at this moment. */
@NullMarked
package io.slipstream.log.tool;

import org.jspecify.annotations.NullMarked;
