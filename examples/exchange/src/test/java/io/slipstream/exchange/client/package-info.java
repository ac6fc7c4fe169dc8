/** Tests of the exchange's client. */
@NullMarked
package io.slipstream.exchange.client;

import org.jspecify.annotations.NullMarked;
