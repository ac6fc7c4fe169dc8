package io.slipstream.exchange.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.CancelReason;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.RejectReason;
import io.slipstream.exchange.Side;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CodesTest {
    @Test
    void everySideAndTypeHasANumberThatLeadsBackToIt() {
        assertThat(Arrays.stream(Side.values()).map(SideCode::of)).containsExactly(1, 2);
        assertThat(Side.values()).allSatisfy(side -> assertThat(SideCode.side(SideCode.of(side))).isEqualTo(side));
        assertThat(Arrays.stream(OrderType.values()).map(OrderTypeCode::of)).containsExactly(1, 2, 3, 4, 5);
        assertThat(OrderType.values())
                .allSatisfy(type -> assertThat(OrderTypeCode.type(OrderTypeCode.of(type))).isEqualTo(type));
    }

    @Test
    void noOtherNumberIsASideOrType() {
        for (int code = Byte.MIN_VALUE; code <= Byte.MAX_VALUE; code++) {
            assertThat(SideCode.side(code) != null).isEqualTo(code == 1 || code == 2);
            assertThat(OrderTypeCode.type(code) != null).isEqualTo(code >= 1 && code <= 5);
        }
    }

    @Test
    void everyStatusRoleAndChangeHasANumberThatLeadsBackToIt() {
        assertThat(Arrays.stream(OrderStatus.values()).map(OrderStatus::code)).containsExactly(0, 1, 2, 3, 4);
        assertThat(OrderStatus.values()).allSatisfy(s -> assertThat(OrderStatus.of(s.code())).isEqualTo(s));
        assertThat(Arrays.stream(Role.values()).map(Role::code)).containsExactly(0, 1, 2);
        assertThat(Role.values()).allSatisfy(role -> assertThat(Role.of(role.code())).isEqualTo(role));
        assertThat(Arrays.stream(OrderChange.values()).map(OrderChange::code)).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(OrderChange.values()).allSatisfy(c -> assertThat(OrderChange.of(c.code())).isEqualTo(c));
    }

    @Test
    void everyRejectionHasANumberThatLeadsBackToIt() {
        assertThat(Arrays.stream(Rejection.values()).map(Rejection::code))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 64, 65, 66, 67, 68, 69, 127);
        assertThat(Rejection.values()).allSatisfy(r -> assertThat(Rejection.of(r.code())).isEqualTo(r));
    }

    @Test
    void unknownNumbersAreUnknownAndNoError() {
        assertThat(List.of(-128, -1, 12, 63, 70, 126)).allSatisfy(code -> {
            assertThat(Rejection.of(code)).isEqualTo(Rejection.UNKNOWN);
            assertThat(OrderStatus.of(code)).isEqualTo(OrderStatus.UNKNOWN);
            assertThat(Role.of(code)).isEqualTo(Role.UNKNOWN);
            assertThat(OrderChange.of(code)).isEqualTo(OrderChange.UNKNOWN);
        });
    }

    @Test
    void theBooksReasonsKeepTheirNames() {
        assertThat(RejectReason.values())
                .allSatisfy(reason -> assertThat(Rejection.of(reason).name()).isEqualTo(reason.name()));
        assertThat(Arrays.stream(CancelReason.values()).map(OrderChange::of)).containsExactly(
                OrderChange.CANCELLED, OrderChange.CANCELLED_UNFILLED, OrderChange.CANCELLED_AS_FILLED);
    }
}
