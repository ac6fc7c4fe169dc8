/**
 * The experiments, one file each, listed in {@code Catalog}. The file name says the question; the id is on its card.
 */
@NullMarked
package io.slipstream.lab.experiment;

import org.jspecify.annotations.NullMarked;
