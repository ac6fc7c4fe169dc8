/**
 * What the bytes of fields look like; {@code docs/data-format.md} has the layout of them all.
 *
 * <pre>
 *   Struct   a record: header, block, parts
 *     Slot   a field of it:  FixedSlot  the value lies in the block             ──▶ Fixed
 *                            PartSlot   the block says where the value begins   ──▶ Part
 * </pre>
 *
 * Slots, {@code Fixed} and {@code Part} are records and enums whose components the JIT compiler takes for constants, so
 * that a generated codec, which calls them with what it knows, becomes loads and stores at fixed offsets.
 */
@NullMarked
package io.slipstream.data.wire;

import org.jspecify.annotations.NullMarked;
