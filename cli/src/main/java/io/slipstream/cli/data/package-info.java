/** {@code slipstream data}: makes huge lists of files, asks them, and takes their elements out. */
@NullMarked
package io.slipstream.cli.data;

import org.jspecify.annotations.NullMarked;
