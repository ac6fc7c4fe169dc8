/** {@code slipstream serve ledger}: the ledger as a process of its own. */
@NullMarked
package io.slipstream.cli.ledger;

import org.jspecify.annotations.NullMarked;
