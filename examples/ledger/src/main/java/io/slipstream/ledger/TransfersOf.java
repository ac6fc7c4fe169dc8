package io.slipstream.ledger;

import io.slipstream.service.typed.Query;

/**
 * Asks for the latest transfers of an account, the newest first.
 *
 * @param account its number
 * @param limit   how many at most; a reply has up to {@value #MAX}
 */
public record TransfersOf(long account, int limit) implements Query<Statement> {
    /** Most transfers of one reply. */
    public static final int MAX = 1_000;
}
