package io.slipstream.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class EndedTest {
    private static String said(Throwable cause) {
        return Ended.by("the store", new ExecutionException(cause)).getMessage();
    }

    @Test
    void saysTheReason() {
        assertThat(said(new IOException("the disk is full"))).isEqualTo("the store has stopped: the disk is full");
    }

    @Test
    void saysWhatKindOfErrorItIsWhenThatTellsMore() {
        assertThat(said(new OutOfMemoryError("Java heap space")))
                .startsWith("the store has stopped: java.lang.OutOfMemoryError: Java heap space. ")
                .contains("-Xmx");
        assertThat(said(new NullPointerException())).isEqualTo("the store has stopped: java.lang.NullPointerException");
        assertThat(said(new ArithmeticException("/ by zero")))
                .isEqualTo("the store has stopped: java.lang.ArithmeticException: / by zero");
    }
}
