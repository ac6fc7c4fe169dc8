/**
 * The executor beside those of the JDK: tiny tasks from several submitters, a task to a sleeping worker, timers, and an
 * HTTP server as a real program.
 */
@NullMarked
package io.slipstream.benchmarks.executor;

import org.jspecify.annotations.NullMarked;
