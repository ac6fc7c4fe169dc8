/**
 * Codecs beside SBE, Kryo, Fory and Java serialization.
 *
 * <pre>
 *   Order, Thing ---- records ---- Kryo, Fory, Java serialization     (a new object each time)
 *   Quote, MutableThing ---------- SBE                               (nothing is allocated)
 * </pre>
 *
 * <p>Each competitor writes the same values to memory of its own, one after another, and reads them back; a sum over
 * all fields says whether it read what was written. The classes of SBE are generated from {@code src/main/sbe} by its
 * own tool when this module is compiled.
 */
@NullMarked
package io.slipstream.benchmarks.codec;

import org.jspecify.annotations.NullMarked;
