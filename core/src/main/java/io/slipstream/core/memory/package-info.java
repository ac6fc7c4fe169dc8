/** Memory. */
@NullMarked
package io.slipstream.core.memory;

import org.jspecify.annotations.NullMarked;
