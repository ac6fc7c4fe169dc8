/**
 * Annotations for what a schema cannot see in a type itself: limits, decimal places, versions.
 *
 * <pre>
 *   record Order(
 *       long id,
 *       &#64;MaxLength(16) String symbol,
 *       &#64;Scale(2) BigDecimal price,
 *       &#64;Optional Side side,
 *       &#64;Since(2) &#64;Default("1") int venue) {}
 * </pre>
 */
@NullMarked
package io.slipstream.data.annotation;

import org.jspecify.annotations.NullMarked;
