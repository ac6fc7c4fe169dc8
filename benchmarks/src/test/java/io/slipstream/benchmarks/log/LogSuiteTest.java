package io.slipstream.benchmarks.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogSuiteTest {
    @Test
    void everyMessageOfEveryLogIsThere() throws Exception {
        try (LogContest text = new LogContest(Competitors.TEXT, Competitors.LOG4J, 2, 500, 0, 0);
                LogContest binary = new LogContest(Competitors.BINARY, Competitors.LOGBACK, 2, 500, 10_000, 0.5);
                LogContest slf4j = new LogContest(Competitors.SLF4J, Competitors.LOG4J_SLF4J, 2, 500, 0, 0)) {
            assertThat(text.ours()).isPositive();
            assertThat(text.peer()).isPositive();
            assertThat(binary.ours()).isPositive();
            assertThat(binary.peer()).isPositive();
            assertThat(slf4j.ours()).isPositive();
            assertThat(slf4j.peer()).isPositive();
        }
    }
}
