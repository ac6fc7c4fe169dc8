/**
 * The experiments, one file each, in a package for each group; {@code Catalog} lists them. The file name says the
 * question; the id is on its card.
 *
 * <pre>
 *   Catalog ---+--- machine    threads    io         jvm
 *              +--- memory     flow       network    data
 * </pre>
 */
@NullMarked
package io.slipstream.lab.experiment;

import org.jspecify.annotations.NullMarked;
