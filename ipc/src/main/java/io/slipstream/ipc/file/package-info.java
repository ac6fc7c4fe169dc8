/**
 * The file of a channel: its layout, how it is created whole, opened, checked, locked and removed.
 *
 * <pre>
 *   Creation ──▶ draft, all its space reserved ──▶ link ──▶ file
 *   ChannelFile ──▶ Layout (checked) ──▶ mapping, kernel lock for each slot, Ownership (mode, user)
 * </pre>
 */
@NullMarked
package io.slipstream.ipc.file;

import org.jspecify.annotations.NullMarked;
