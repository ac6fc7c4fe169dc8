/**
 * What the words behind a command's name say: ranges, patterns, cursors, ids of streams, and how many at most. Nothing
 * here knows a key.
 */
@NullMarked
package io.slipstream.keyvalue.argument;

import org.jspecify.annotations.NullMarked;
