/** The JVM: collections, dispatch, method handles. */
@NullMarked
package io.slipstream.lab.experiment.jvm;

import org.jspecify.annotations.NullMarked;
