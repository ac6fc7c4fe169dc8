package io.slipstream.ledger;

import io.slipstream.service.typed.Command;

/**
 * Opens an account.
 *
 * @param account      its number
 * @param mayOverdraw  whether its debits may exceed its credits
 */
public record OpenAccount(long account, boolean mayOverdraw) implements Command<Account> {}
