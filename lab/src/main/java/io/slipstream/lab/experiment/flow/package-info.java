/** Queues and flow: batching and back pressure. */
@NullMarked
package io.slipstream.lab.experiment.flow;

import org.jspecify.annotations.NullMarked;
