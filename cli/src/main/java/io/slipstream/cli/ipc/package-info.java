/** {@code slipstream ipc}: channels between processes, looked at and used from the command line. */
@NullMarked
package io.slipstream.cli.ipc;

import org.jspecify.annotations.NullMarked;
