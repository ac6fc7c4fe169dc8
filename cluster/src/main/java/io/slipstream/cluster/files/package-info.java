/**
 * What a member keeps on disk, read without changing any of it, while the member runs or not.
 *
 * <pre>
 *   cluster/recording.log    ──▶ Terms: which recording is the log, its terms and snapshots
 *   archive/archive.catalog  ──▶ Recordings: where each recording begins and ends, and its shape
 *   archive/ID-POSITION.rec  ──▶ Segments: the frames of one recording
 * </pre>
 */
@NullMarked
package io.slipstream.cluster.files;

import org.jspecify.annotations.NullMarked;
