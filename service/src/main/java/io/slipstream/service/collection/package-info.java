/**
 * What the runtime looks things up in.
 *
 * <pre>
 *   LongMap   objects by a long, without boxing it
 * </pre>
 */
@NullMarked
package io.slipstream.service.collection;

import org.jspecify.annotations.NullMarked;
