package io.slipstream.ledger;

import io.slipstream.service.typed.Event;

/**
 * A pending transfer has expired; published to the topics of both accounts.
 *
 * @param transfer its id
 */
public record Expired(long transfer) implements Event {}
