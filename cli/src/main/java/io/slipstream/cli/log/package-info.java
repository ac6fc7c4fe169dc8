/** {@code slipstream log}: reads binary logs. */
@NullMarked
package io.slipstream.cli.log;

import org.jspecify.annotations.NullMarked;
