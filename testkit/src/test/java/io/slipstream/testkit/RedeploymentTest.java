package io.slipstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of leak is found, and named. */
class RedeploymentTest {
    @ParameterizedTest
    @ValueSource(strings = {"a thread", "a hook", "a thread local"})
    void aProgramThatEndsWhatItBeganIsCollected(String what) throws Exception {
        Redeployment.leavesNothing(Leaving.class, Path.of(what));
    }

    @ParameterizedTest
    @CsvSource({
        "a thread, live thread:, left-behind",
        "a hook, static hooks, left-hook",
        "a thread local, threadLocals, io.slipstream.testkit.Leaving"
    })
    void whatItLeavesIsNamed(String what, String how, String who) throws Exception {
        assertThat(Redeployment.leftOpen(Leaving.class, Path.of(what))).contains(how, who);
    }

    @Test
    void aProgramThatFailsIsNoProgramThatLeavesNothing() {
        assertThatThrownBy(() -> Redeployment.leavesNothing(Leaving.class, Path.of("something else")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("something else");
    }
}
