/**
 * How a journal writes and recovers, as values.
 *
 * <pre>
 *   JournalConfig ──┬── Durability       what must have happened before a record counts as durable
 *                   ├── WriteMode        how bytes are handed to the system
 *                   └── RecoveryPolicy   what opening may do about a torn tail
 * </pre>
 */
@NullMarked
package io.slipstream.journal.config;

import org.jspecify.annotations.NullMarked;
