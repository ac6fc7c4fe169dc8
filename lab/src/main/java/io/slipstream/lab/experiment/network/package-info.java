/** The network on one machine: echoes, segments, buffers, multicast, servers under load. */
@NullMarked
package io.slipstream.lab.experiment.network;

import org.jspecify.annotations.NullMarked;
