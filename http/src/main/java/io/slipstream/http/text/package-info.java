/** JSON of what has no schema. */
@NullMarked
package io.slipstream.http.text;

import org.jspecify.annotations.NullMarked;
