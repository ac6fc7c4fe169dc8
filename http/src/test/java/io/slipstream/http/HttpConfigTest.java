package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.http.config.HttpConfig;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConfigTest {
    private static final HttpConfig CONFIG = HttpConfig.onPort(0);

    @ParameterizedTest
    @ValueSource(strings = {"desk.example", "https://desk.example/", "https://desk.example/page", "*", "null", ""})
    void refusesAnOriginThatNoBrowserSends(String origin) {
        assertThatThrownBy(() -> CONFIG.withOrigins(Set.of(origin)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + origin + "' is no origin: one is a scheme and a host, and a port if it is not the "
                        + "usual one, such as https://desk.example");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://Desk.example", "http://localhost:3000", "http://[::1]:3000", "app://desk"})
    void takesAnOriginInTheSmallLettersInWhichBrowsersSendIt(String origin) {
        assertThat(CONFIG.withOrigins(Set.of(origin)).origins()).containsExactly(origin.replace("Desk", "desk"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ledger.example:8080", "https://ledger.example", "ledger.example/", "a b", ""})
    void refusesANameThatIsNotOnlyThatOfAHost(String name) {
        assertThatThrownBy(() -> CONFIG.withNames(Set.of(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + name + "' is no name of a host: give it without scheme, port and path");
    }
}
