/**
 * What can go wrong with a channel, by who has to do something about it.
 */
@NullMarked
package io.slipstream.ipc.errors;

import org.jspecify.annotations.NullMarked;
