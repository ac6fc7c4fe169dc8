/**
 * The commands of the lab, and the small tools of the articles.
 *
 * <pre>
 *   lab list | explain ID | run [ID...] | compare A.json B.json
 *   banner TEXT
 *   k-nucleotide &lt; FASTA
 * </pre>
 */
@NullMarked
package io.slipstream.cli.lab;

import org.jspecify.annotations.NullMarked;
