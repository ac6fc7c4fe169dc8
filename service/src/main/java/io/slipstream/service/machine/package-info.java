/**
 * What the user of a service writes: one deterministic state machine.
 *
 * <pre>
 *   Request ──▶ {@link io.slipstream.service.machine.StateMachine} ──▶ Output
 *   payload,        one thread, in the order of the log                 reply: to the sender
 *   session, time                                                       event: to any session
 * </pre>
 *
 * Every offset and length here is that of a payload: headers are the service's business.
 */
@NullMarked
package io.slipstream.service.machine;

import org.jspecify.annotations.NullMarked;
