/**
 * Runs cases in JVMs of their own.
 *
 * <pre>
 *   Runner --- fork: JVM with stated flags ----------> Fork (in the child): warm up, rounds, hiccup trace
 *     ^                                                   |
 *     +------------- one line of JSON per event ----------+
 *                                                         |
 *                        where the case is a benchmark:  JMH forks once more, warms up and measures there
 * </pre>
 */
@NullMarked
package io.slipstream.lab.run;

import org.jspecify.annotations.NullMarked;
