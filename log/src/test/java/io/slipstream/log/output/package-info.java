@NullMarked
package io.slipstream.log.output;

import org.jspecify.annotations.NullMarked;
