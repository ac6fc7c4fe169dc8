/**
 * The journal beside its peers. Each competitor writes to a fresh folder of the same file system, what it has written
 * is
 * read back and compared, and then removed.
 */
@NullMarked
package io.slipstream.benchmarks.journal;

import org.jspecify.annotations.NullMarked;
