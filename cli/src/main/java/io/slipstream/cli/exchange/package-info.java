/** Serving the example exchange, and loading it. */
@NullMarked
package io.slipstream.cli.exchange;

import org.jspecify.annotations.NullMarked;
