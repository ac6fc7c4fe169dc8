/** {@code slipstream demo}: the main job end to end, with proof. */
@NullMarked
package io.slipstream.cli.demo;

import org.jspecify.annotations.NullMarked;
