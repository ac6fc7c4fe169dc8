package io.slipstream.exchange.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.CancelReason;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.RejectReason;
import io.slipstream.exchange.Side;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class CodesTest {
    @Test
    void everySideAndTypeHasANumberThatLeadsBackToIt() {
        assertThat(Arrays.stream(Side.values()).map(SideCode::of)).containsExactly(1, 2);
        assertThat(Side.values())
                .allSatisfy(side -> assertThat(SideCode.side(SideCode.of(side))).isEqualTo(side));
        assertThat(Arrays.stream(OrderType.values()).map(OrderTypeCode::of)).containsExactly(1, 2, 3, 4, 5);
        assertThat(OrderType.values())
                .allSatisfy(type ->
                        assertThat(OrderTypeCode.type(OrderTypeCode.of(type))).isEqualTo(type));
    }

    @Test
    void noOtherNumberIsASideOrType() {
        for (int code = Byte.MIN_VALUE; code <= Byte.MAX_VALUE; code++) {
            assertThat(SideCode.side(code) != null).isEqualTo(code == 1 || code == 2);
            assertThat(OrderTypeCode.type(code) != null).isEqualTo(code >= 1 && code <= 5);
        }
    }

    @Test
    void theBooksReasonsKeepTheirNames() {
        assertThat(RejectReason.values())
                .allSatisfy(reason -> assertThat(Rejection.of(reason).name()).isEqualTo(reason.name()));
        assertThat(Arrays.stream(CancelReason.values()).map(OrderChange::of))
                .containsExactly(
                        OrderChange.CANCELLED, OrderChange.CANCELLED_UNFILLED, OrderChange.CANCELLED_AS_FILLED);
    }
}
