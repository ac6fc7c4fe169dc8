package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DenialLogTest {
    private final List<String> lines = new ArrayList<>();
    private long now;
    private final DenialLog log = new DenialLog(
            (System.Logger) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {System.Logger.class}, (_, _, arguments) -> {
                        Object[] values = arguments.length > 2
                                ? (Object[]) arguments[2]
                                : Arrays.copyOfRange(arguments, 2, arguments.length);
                        return lines.add(
                                values.length == 0
                                        ? String.valueOf(arguments[1])
                                        : new MessageFormat(String.valueOf(arguments[1])).format(values));
                    }),
            () -> now);

    @Test
    void anAddressThatTriesAgainAndAgainHasOneLineInTenSecondsAndItsCount() {
        for (int i = 0; i < 100; i++) {
            log.loginRefused("/10.0.0.7:" + (40_000 + i), "the token is wrong");
            log.forbidden("desk", "/10.0.0.8:1", "a message");
            now += DenialLog.QUIET_NANOS / 100;
        }
        log.loginRefused("/10.0.0.7:50000", "the token is wrong");
        assertThat(lines)
                .containsExactly(
                        "login from /10.0.0.7:40000 refused: the token is wrong",
                        "desk at /10.0.0.8:1 may not send a message",
                        "99 more logins or requests from /10.0.0.7 were refused since",
                        "99 more logins or requests of desk were refused since",
                        "login from /10.0.0.7:50000 refused: the token is wrong");
    }

    @Test
    void manyAddressesHaveABoundedNumberOfLines() {
        for (int i = 0; i < 1_000; i++) {
            log.loginRefused("/10.0." + i / 250 + '.' + i % 250 + ":1", "the token is wrong");
        }
        assertThat(lines).hasSize(DenialLog.MOST);
        now += DenialLog.QUIET_NANOS;
        log.loginRefused("/10.1.0.1:1", "the token is wrong");
        assertThat(lines)
                .hasSize(DenialLog.MOST + 2)
                .contains("900 more logins or requests from others were refused since");
    }
}
