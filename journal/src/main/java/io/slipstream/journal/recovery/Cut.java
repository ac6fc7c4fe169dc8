package io.slipstream.journal.recovery;

/**
 * Bytes that did not belong where they were, and that were wiped there.
 *
 * @param file   the segment that was cut
 * @param offset where it was cut
 * @param bytes  how many bytes of data were cut off; of a torn tail in this segment and those behind it
 * @param keptIn the file in the journal's folder that keeps the bytes of this segment; empty if there was no room
 *               for it: then the bytes are kept and wiped before the first append
 * @param reason what was found at the offset
 */
public record Cut(String file, long offset, long bytes, String keptIn, String reason) {}
