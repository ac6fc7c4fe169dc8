/** Tests of the exchange. */
@NullMarked
package io.slipstream.exchange;

import org.jspecify.annotations.NullMarked;
