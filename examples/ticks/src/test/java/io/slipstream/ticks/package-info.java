@NullMarked
package io.slipstream.ticks;

import org.jspecify.annotations.NullMarked;
