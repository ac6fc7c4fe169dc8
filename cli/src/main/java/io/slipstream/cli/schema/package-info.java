/** {@code slipstream schema}: shows schemas, compares versions, explains bytes, and writes records for Python and C. */
@NullMarked
package io.slipstream.cli.schema;

import org.jspecify.annotations.NullMarked;
