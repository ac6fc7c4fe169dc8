/** Data and algorithms: collections, fields, text, numbers, serialisation. */
@NullMarked
package io.slipstream.lab.experiment.data;

import org.jspecify.annotations.NullMarked;
