/** {@code slipstream journal}: looks at a journal's folder. */
@NullMarked
package io.slipstream.cli.journal;

import org.jspecify.annotations.NullMarked;
