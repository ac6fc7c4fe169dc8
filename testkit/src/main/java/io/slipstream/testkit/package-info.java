/**
 * What the tests of several modules share.
 *
 * <pre>
 *   Await          waits for a condition, with the one patience of all tests
 *   Allocations    counts the bytes that threads allocate, as the least of several rounds
 *   Ports          ports that no other test of this machine uses until the process ends
 *   Programs       whether a program is installed that a test uses where it is
 *   Certificates   authorities, certificates and keys, made by the JDK's keytool
 *   ChildJvm       main classes of the tests in processes of their own
 *   Redeployment   programs in class loaders of their own, which have to be free when the programs have ended
 *   Opened         what such a program opens, and closes unless the test wants it left open
 *   CuttingProxy   a network that cuts connections and flips bits
 *   TwinLoader     Slipstream with a few words of one class replaced, for checks that must notice
 *   MovedBytes     which methods copy a payload, and which walk over headers, in classes of a TwinLoader that count
 *   PathTable      the table of a document that says which do
 *   MutantTable    the table of a document that says within how many seeds such a mutant is found
 * </pre>
 *
 * <p>{@code -Dslipstream.patience=3} lets every test wait three times as long before it fails.
 */
@NullMarked
package io.slipstream.testkit;

import org.jspecify.annotations.NullMarked;
