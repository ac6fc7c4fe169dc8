/** What cores and memory of this machine cost: core to core, and from the first cache to memory. */
@NullMarked
package io.slipstream.lab.experiment.machine;

import org.jspecify.annotations.NullMarked;
