@NullMarked
package io.slipstream.log;

import org.jspecify.annotations.NullMarked;
