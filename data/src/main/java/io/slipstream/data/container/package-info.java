/**
 * Container files: messages in a file, with the schema that they were written with.
 *
 * <pre>
 *                      append, commit                              next
 *   values ─▶ ContainerFileWriter ─▶ schema | block | block | end ─▶ ContainerFileReader ─▶ values
 * </pre>
 *
 * <p>The header of a message tells its fields from those of another schema, but not the order of an enum's constants.
 * So a reader compares its schema with that of the file before it reads a message, and refuses what it would misread.
 *
 * <p>A <em>block</em> is what was appended between two commits, or as much of it as fits. It has checksums, and is read
 * as a whole or not at all.
 */
@NullMarked
package io.slipstream.data.container;

import org.jspecify.annotations.NullMarked;
