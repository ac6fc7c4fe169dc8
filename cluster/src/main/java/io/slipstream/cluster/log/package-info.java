/**
 * How requests get into the replicated log, and what becomes of them at each member.
 *
 * <pre>
 *   gateway ──▶ input ring ──▶ Submitter ── Envelope: a batch of frames ──▶ leader ──▶ log, at a majority
 *                   │              ▲                                                      │
 *                   │              └── sends again what has not come back                 ▼ each member
 *                   └──▶ own frames, when their batch has come back ──▶ Replicated ──▶ Logic ──▶ output ring
 *                        frames of other members, from the envelope ──▶     │
 *                                                                        Origins: what was applied of each gateway
 *                                                                        Votes: the state's hash at each member
 * </pre>
 *
 * <p>Origin: one life of one member's gateway. Its frames have positions, those of its input ring, without gaps.
 * Each member applies a batch only if it begins where the one before ended, so a gateway may send anything again at
 * any time. Queries stay in the ring of their gateway; their turn comes when the batch that they belong to has been
 * through the log, which makes them linearizable at any member.
 */
@NullMarked
package io.slipstream.cluster.log;

import org.jspecify.annotations.NullMarked;
