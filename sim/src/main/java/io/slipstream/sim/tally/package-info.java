/**
 * A state machine that remembers each command, those who send commands to it, and what is told of the lives in which
 * they do.
 */
@NullMarked
package io.slipstream.sim.tally;

import org.jspecify.annotations.NullMarked;
