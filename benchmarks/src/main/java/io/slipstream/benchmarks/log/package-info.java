/**
 * Logging beside Log4j 2 with all loggers asynchronous and its garbage-free settings, and Logback with an
 * asynchronous appender. All write the
 * same three arguments by patterns of the same length to a file of their own, and lose nothing: whoever finds its
 * ring full waits.
 */
@NullMarked
package io.slipstream.benchmarks.log;

import org.jspecify.annotations.NullMarked;
