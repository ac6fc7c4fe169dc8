/**
 * Calls every public method on an interrupted thread.
 *
 * <pre>
 *   Interrupts                                the types of some modules: InterruptsTest, ServiceInterruptsTest, ...
 *     \--- InterruptedCalls                   one call after the other, and what is wrong with it
 *           |--- PublicApi                    what there is to call
 *           |--- Values                       objects and arguments, of whatever makes them
 *           \--- InterruptProbes              what no rule can make, and how to see that it works
 *                 \--- CoreProbes, ...        those of one module
 * </pre>
 */
package io.slipstream.architecture.interrupts;
