/**
 * What all commands have in common where they meet the user: how wrong usage is refused, and how Ctrl-C ends a command.
 *
 * <pre>
 *   arguments ---&gt; command ---&gt; Usage          one line on the error stream, exit code 2
 *   Ctrl-C ------&gt; command ---&gt; Interruption   prints what it has, then exits
 * </pre>
 */
@NullMarked
package io.slipstream.cli.console;

import org.jspecify.annotations.NullMarked;
