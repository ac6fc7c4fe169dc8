/**
 * Runs the key-value store.
 *
 * <pre>
 *   slipstream serve keyvalue ─▶ Service with a KeyValueMachine ⇄ Redis clients
 * </pre>
 */
@NullMarked
package io.slipstream.cli.keyvalue;

import org.jspecify.annotations.NullMarked;
