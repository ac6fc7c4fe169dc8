/**
 * A day of trades, kept in columns outside the heap.
 *
 * <pre>
 *   Market --generates--&gt; HugeList of Trade, in files --commit, open--&gt; Queries   by column, by identity
 *                                                                    --&gt; Export    CSV, JSON
 * </pre>
 *
 * <p>Vocabulary. A <b>trade</b> is one row. Its <b>identity</b> is its number, by which it is found.
 */
@NullMarked
package io.slipstream.ticks;

import org.jspecify.annotations.NullMarked;
