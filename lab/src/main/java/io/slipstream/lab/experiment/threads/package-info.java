/** Threads that meet: signals, counters, locks, and what contention costs. */
@NullMarked
package io.slipstream.lab.experiment.threads;

import org.jspecify.annotations.NullMarked;
