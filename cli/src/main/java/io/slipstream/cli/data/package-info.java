/** {@code slipstream data}: takes the elements of huge lists out of their files. */
@NullMarked
package io.slipstream.cli.data;

import org.jspecify.annotations.NullMarked;
