/**
 * A Maven project for a service of one's own.
 *
 * <pre>
 *   slipstream new NAME ──▶ templates of this package ──▶ NAME/pom.xml, src/main, src/test, run, README.md
 * </pre>
 */
@NullMarked
package io.slipstream.cli.project;

import org.jspecify.annotations.NullMarked;
