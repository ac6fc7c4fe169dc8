/** Tests of the exchange's logic as a service. */
@NullMarked
package io.slipstream.exchange.service;

import org.jspecify.annotations.NullMarked;
