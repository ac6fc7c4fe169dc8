/**
 * JSON of any type that has a schema, both ways.
 *
 * <pre>
 *   value ──Json.write──▶ {"id":1,"symbol":"EURUSD","price":1.25}
 *         ◀──Json.read──  strict: depth, size, duplicate and unknown keys, and numbers out of range are refused
 * </pre>
 *
 * <p>An absent field is left out. A record of a sealed interface begins with {@code "@type"}, its name. An array of
 * bytes is Base64; a time, a duration, a date and a UUID are strings in their ISO forms; NaN and the infinities are
 * strings.
 */
@NullMarked
package io.slipstream.data.json;

import org.jspecify.annotations.NullMarked;
