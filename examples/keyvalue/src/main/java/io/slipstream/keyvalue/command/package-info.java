/**
 * What the commands do.
 *
 * <pre>
 *   payload ──▶ Interpreter ──▶ Strings, Keys, Lists, Hashes, Sets, SortedSets, Server, Channels ──▶ Database
 *                    │                                                                                  │
 *                    └── Blocked, session                                                   memory, value
 * </pre>
 *
 * The words of a command are those behind its name: word 0 is usually the key.
 */
@NullMarked
package io.slipstream.keyvalue.command;

import org.jspecify.annotations.NullMarked;
