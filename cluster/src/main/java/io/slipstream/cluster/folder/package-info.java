/**
 * What a member keeps in its folder beside the log: the lock, whose the folder is, and how often its gateway has lived.
 */
@NullMarked
package io.slipstream.cluster.folder;

import org.jspecify.annotations.NullMarked;
