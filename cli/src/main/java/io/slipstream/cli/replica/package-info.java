/** {@code slipstream replica}: the backup site of a service. */
@NullMarked
package io.slipstream.cli.replica;

import org.jspecify.annotations.NullMarked;
