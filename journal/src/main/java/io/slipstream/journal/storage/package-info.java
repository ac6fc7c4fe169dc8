/**
 * What a journal asks of the device, as an interface: the real file system, or a simulated disk that fails on demand.
 *
 * <pre>
 *   Journal ──▶ Storage ──┬── FileStorage       a folder of a real file system
 *               a folder  └── (module sim)      memory that loses, tears and fails what a real disk may
 * </pre>
 */
@NullMarked
package io.slipstream.journal.storage;

import org.jspecify.annotations.NullMarked;
