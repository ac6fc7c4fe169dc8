/** The single-threaded server and its blocking clients: the load of the network experiments. */
@NullMarked
package io.slipstream.lab.load;

import org.jspecify.annotations.NullMarked;
