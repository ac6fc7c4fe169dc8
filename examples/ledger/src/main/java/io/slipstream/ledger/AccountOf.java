package io.slipstream.ledger;

import io.slipstream.service.typed.Query;

/**
 * Asks for an account.
 *
 * @param account its number
 */
public record AccountOf(long account) implements Query<Account> {}
