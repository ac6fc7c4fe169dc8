/** {@code slipstream sim}: runs parts of the toolkit on simulated devices. */
@NullMarked
package io.slipstream.cli.sim;

import org.jspecify.annotations.NullMarked;
