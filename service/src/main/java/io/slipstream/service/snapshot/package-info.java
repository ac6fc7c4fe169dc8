/**
 * Snapshots of a service: all that follows from its log up to some entry, and how a start goes on from there.
 *
 * <pre>
 *   Logic ── save ──▶ ChunkedOutput ──▶ records of a snapshot in the journal's folder
 *   Logic ◀─ load ─── ChunkedInput  ◀──      │
 *     ▲                                      │ Recovery: the newest one, then the log behind it
 *     └───────── apply ◀── journal ◀─────────┘
 *   Snapshots: when to take one, of which instance, and what of the log may go then
 * </pre>
 */
@NullMarked
package io.slipstream.service.snapshot;

import org.jspecify.annotations.NullMarked;
