/** Open-loop load: when commands are due, what becomes of them, and how it is shown. */
@NullMarked
package io.slipstream.cli.load;

import org.jspecify.annotations.NullMarked;
