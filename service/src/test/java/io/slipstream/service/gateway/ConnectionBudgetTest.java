package io.slipstream.service.gateway;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ConnectionBudgetTest {
    private static final long HEAP = 64L << 20;

    @Test
    void takesAsManyConnectionsAsFit() {
        assertThatCode(() -> ConnectionBudget.require(8192, HEAP, OptionalLong.of(8192 + 64)))
                .doesNotThrowAnyException();
        assertThatCode(() -> ConnectionBudget.require(8192, HEAP, OptionalLong.empty()))
                .doesNotThrowAnyException();
    }

    @Test
    void refusesMoreThanTheHeapHasRoomForAndNamesTheRemedy() {
        assertThatThrownBy(() -> ConnectionBudget.require(8193, HEAP, OptionalLong.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxConnections 8193 takes 33558528 bytes of heap")
                .hasMessageContaining("-Xmx");
    }

    @Test
    void refusesMoreThanTheProcessMayHaveOpenAndNamesTheRemedy() {
        assertThatThrownBy(() -> ConnectionBudget.require(1024, HEAP, OptionalLong.of(1024)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("takes 1088 open files, and this process may have 1024")
                .hasMessageContaining("ulimit -n");
    }
}
