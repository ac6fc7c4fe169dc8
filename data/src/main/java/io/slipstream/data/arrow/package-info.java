/**
 * The Arrow IPC format, as its specification (metadata version 5) says, without compression: out, and in.
 *
 * <pre>
 *   stream   schema  dictionary...  batch...  end
 *   file     ARROW1  stream  footer: schema, where dictionaries and batches begin  its length  ARROW1
 *   message  -1  length of the metadata  metadata  body: buffers, each from a multiple of 64 bytes on
 * </pre>
 *
 * <p>The metadata are tables of FlatBuffers.
 */
@NullMarked
package io.slipstream.data.arrow;

import org.jspecify.annotations.NullMarked;
