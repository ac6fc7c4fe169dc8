/**
 * The {@code slipstream} command: {@link io.slipstream.cli.Main} and its subcommands, one class each.
 *
 * <p>A failure prints one line on the error stream and exits with 1. Wrong usage prints what is wrong and where to read
 * the usage, and exits with 2.
 */
@NullMarked
package io.slipstream.cli;

import org.jspecify.annotations.NullMarked;
