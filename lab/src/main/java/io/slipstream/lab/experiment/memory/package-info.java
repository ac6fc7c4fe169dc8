/** How memory is used: lines that are shared, ways to walk it, barriers, and memory without a collector. */
@NullMarked
package io.slipstream.lab.experiment.memory;

import org.jspecify.annotations.NullMarked;
