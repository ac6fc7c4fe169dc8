@NullMarked
package io.slipstream.log.system;

import org.jspecify.annotations.NullMarked;
