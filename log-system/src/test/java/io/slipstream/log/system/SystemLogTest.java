package io.slipstream.log.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SystemLogTest {
    @Test
    void isWhatTheJdkFinds() {
        System.Logger logger = System.getLogger("a.b");
        assertThat(logger.isLoggable(System.Logger.Level.INFO)).isTrue();
        assertThat(logger.isLoggable(System.Logger.Level.DEBUG)).isFalse();
        assertThat(logger.isLoggable(System.Logger.Level.OFF)).isFalse();
        assertThat(logger.getName()).isEqualTo("a.b");
    }

    @Test
    void aFormatThatIsWrongStaysAsItIs() {
        SystemLog logger = new SystemLog("a");
        logger.log(System.Logger.Level.WARNING, "wrong {", 1);
        logger.log(System.Logger.Level.WARNING, "right {0}", 1);
    }
}
