/**
 * What a folder is in a pair of sites, kept in a file of its own beside the journal, and what protects a pair.
 *
 * <pre>
 *   PRIMARY ──term 1──▶ BACKUP
 *      │                  │ promote: term 2
 *      ▼                  ▼
 *   FENCED ◀──term 2── PROMOTED      a lower term never answers a command again
 * </pre>
 *
 * <ul>
 * <li><b>term</b>: counts the promotions of a pair; the higher one is right.
 * <li><b>fenced</b>: has learned of a higher term, and no longer serves.
 * </ul>
 */
@NullMarked
package io.slipstream.replica.site;

import org.jspecify.annotations.NullMarked;
