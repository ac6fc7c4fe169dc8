/** Tests of the exchange's wire format. */
@NullMarked
package io.slipstream.exchange.wire;

import org.jspecify.annotations.NullMarked;
