package io.slipstream.exchange.wire;

import io.slipstream.exchange.Side;
import org.jspecify.annotations.Nullable;

/** The number of a {@link Side}: 1 for BUY, 2 for SELL. */
public final class SideCode {
    private SideCode() {}

    /** Returns the number of a side. */
    public static int of(Side side) {
        return switch (side) {
            case BUY -> 1;
            case SELL -> 2;
        };
    }

    /** Returns the side with that number, or null. */
    public static @Nullable Side side(int code) {
        return switch (code) {
            case 1 -> Side.BUY;
            case 2 -> Side.SELL;
            default -> null;
        };
    }
}
