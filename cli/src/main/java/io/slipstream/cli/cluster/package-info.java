/** {@code slipstream cluster}, and what serves one member of a cluster. */
@NullMarked
package io.slipstream.cli.cluster;

import org.jspecify.annotations.NullMarked;
