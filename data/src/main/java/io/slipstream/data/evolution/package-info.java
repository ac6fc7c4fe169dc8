/**
 * Versions of a schema compared: whether old bytes stay readable.
 *
 * <pre>
 *   old definitions ─┐
 *                    ├──▶ Changes ──▶ allowed: a field that was added, a limit that was raised, ...
 *   new definitions ─┘            └─▶ breaking: a type that changed, an id that was given to another field, ...
 * </pre>
 */
@NullMarked
package io.slipstream.data.evolution;

import org.jspecify.annotations.NullMarked;
