@NullMarked
package io.slipstream.log.slf4j;

import org.jspecify.annotations.NullMarked;
