/**
 * Schemas: what a record consists of, described once.
 *
 * <pre>
 *   Order.class ──Schema.of──▶ Schema ──▶ Definition   what the bytes look like: Field, Type, offset
 *                                    └──▶ Property     where each field is found in Java
 *
 *   Definition ◀──parse / toString──▶ text             for tools, and for comparing versions
 * </pre>
 *
 * <ul>
 * <li><b>definition</b>: name, number, version and fields of one type; no Java in it.
 * <li><b>block</b>: the part of the bytes where every field has a fixed offset, its <b>slot</b>.
 * <li><b>version</b>: counts from 1. A field that is added says {@code @Since}; one that is gone stays as
 * {@code @Removed}.
 * <li><b>fingerprint</b>: sixteen bits that tell the fields of a version from others.
 * <li><b>union</b>: a value is one of several records; a sealed interface in Java.
 * </ul>
 */
@NullMarked
package io.slipstream.data.schema;

import org.jspecify.annotations.NullMarked;
