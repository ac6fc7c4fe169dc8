/** Files: small ones, large ones, and buffers. */
@NullMarked
package io.slipstream.lab.experiment.io;

import org.jspecify.annotations.NullMarked;
