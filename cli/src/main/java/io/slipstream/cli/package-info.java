/**
 * The {@code slipstream} command: {@link io.slipstream.cli.Main} and its subcommands, one class each.
 *
 * <p>A failure is one line on the error stream and exit code 1; what was asked in the wrong way is told with where to
 * read the usage, and exit code 2.
 */
@NullMarked
package io.slipstream.cli;

import org.jspecify.annotations.NullMarked;
