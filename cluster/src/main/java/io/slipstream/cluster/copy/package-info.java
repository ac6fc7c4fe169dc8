/**
 * How a member gets what it lacks from the leader: the last snapshot and the log behind it. {@link
 * io.slipstream.cluster.copy.LocalCopy} takes them from a folder instead.
 *
 * <pre>
 *   leader                                        member that lacks it
 *     CopySource ──Manifest, pieces of files──▶ CopyFetch ──▶ copy.new/ ──rename──▶ copy.done/ ──▶ archive/, cluster/
 *                     over its seventh port        └── CatchUp: from whom, until when              Installation
 * </pre>
 *
 * <p>What arrives is what the leader's folder would hold if its process were killed at that moment, so a member starts
 * on it as it does on its own folder after a crash.
 */
@NullMarked
package io.slipstream.cluster.copy;

import org.jspecify.annotations.NullMarked;
