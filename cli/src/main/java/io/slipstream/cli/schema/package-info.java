/** {@code slipstream schema}: shows schemas, compares their versions, and explains encoded bytes. */
@NullMarked
package io.slipstream.cli.schema;

import org.jspecify.annotations.NullMarked;
