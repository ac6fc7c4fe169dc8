/**
 * What can go wrong with a journal, by what its owner can do about it.
 *
 * <pre>
 *   IOException
 *     └── JournalException               the message says what, where, and what to do
 *           ├── JournalLockedException   in use elsewhere: stop that, or choose another folder
 *           ├── JournalVersionException  written by a newer version: use that
 *           ├── JournalFullException     no room: free some, and try again
 *           ├── JournalFailedException   a write or force failed: close, and open again
 *           └── JournalCorruptException  durable bytes are damaged: restore, or repair
 * </pre>
 */
@NullMarked
package io.slipstream.journal.errors;

import org.jspecify.annotations.NullMarked;
