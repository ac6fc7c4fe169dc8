/** {@code slipstream serve keyvalue}. */
@NullMarked
package io.slipstream.cli.keyvalue;

import org.jspecify.annotations.NullMarked;
