/** Where generated classes are defined. */
@NullMarked
package io.slipstream.data.host;

import org.jspecify.annotations.NullMarked;
