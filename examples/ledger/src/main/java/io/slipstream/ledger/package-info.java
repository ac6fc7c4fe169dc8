/**
 * A ledger: each transfer takes an amount from one account and gives it to another, at once or in two phases.
 *
 * <pre>
 *   Submit ──▶ Ledger ──▶ Accounts    debits and credits, posted and pending
 *   (8,190      │    └──▶ Transfers   every one for ever; those of an account form a chain
 *    at most)   └─timer─▶ a pending transfer that is neither posted nor voided in time expires
 * </pre>
 *
 * <p>Vocabulary. A transfer <b>debits</b> one account and <b>credits</b> another. One in two phases is <b>pending</b>
 * first: its amount is set aside. It is <b>posted</b> or <b>voided</b> by a transfer that names it, or <b>expires</b>.
 */
@NullMarked
package io.slipstream.ledger;

import org.jspecify.annotations.NullMarked;
