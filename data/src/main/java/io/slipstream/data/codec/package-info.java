/**
 * Codecs: values to bytes and back, by classes that are generated for each type.
 *
 * <pre>
 *                 encode, sizeOf                       wrap
 *   Order value ─────────────────▶ bytes in memory ◀────────── Flyweight   reads and writes single fields in place
 *                ◀─────────────────
 *                  decode
 * </pre>
 *
 * <p>A {@link io.slipstream.data.codec.Codec} is a hidden class with a load and a store for each field. Its constants
 * are method handles of accessors and constructor, so that a type needs to be neither public nor exported: opened to
 * this module, or reached by a {@code Lookup} that its user gives, is enough.
 */
@NullMarked
package io.slipstream.data.codec;

import org.jspecify.annotations.NullMarked;
