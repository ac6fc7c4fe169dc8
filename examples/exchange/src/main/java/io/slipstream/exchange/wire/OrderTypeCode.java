package io.slipstream.exchange.wire;

import io.slipstream.exchange.OrderType;
import org.jspecify.annotations.Nullable;

/**
 * The number of an {@link OrderType}: 1 for LIMIT, 2 for MARKET, 3 for IMMEDIATE_OR_CANCEL, 4 for FILL_OR_KILL, 5 for
 * POST_ONLY.
 */
public final class OrderTypeCode {
    private OrderTypeCode() {}

    /** Returns the number of a type. */
    public static int of(OrderType type) {
        return switch (type) {
            case LIMIT -> 1;
            case MARKET -> 2;
            case IMMEDIATE_OR_CANCEL -> 3;
            case FILL_OR_KILL -> 4;
            case POST_ONLY -> 5;
        };
    }

    /** Returns the type with that number, or null. */
    public static @Nullable OrderType type(int code) {
        return switch (code) {
            case 1 -> OrderType.LIMIT;
            case 2 -> OrderType.MARKET;
            case 3 -> OrderType.IMMEDIATE_OR_CANCEL;
            case 4 -> OrderType.FILL_OR_KILL;
            case 5 -> OrderType.POST_ONLY;
            default -> null;
        };
    }
}
