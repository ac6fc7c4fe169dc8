@NullMarked
package io.slipstream.data.text;

import org.jspecify.annotations.NullMarked;
