package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A recursion without end that logs on its way runs out of stack somewhere in a call of the log. */
class DeepStackTest {
    private static final Log LOG = Log.of(DeepStackTest.class);

    @Test
    void theLogGoesOn() throws Exception {
        assertGoesOn();
    }

    @Test
    void theLogGoesOnWithoutTheCompiler() throws Exception {
        assertGoesOn("-Xint");
    }

    private static void assertGoesOn(String... options) throws Exception {
        Process process = ChildJvm.of(DeepStackTest.class, List.of(options))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(told).contains("the last one");
    }

    static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            int more = 16 * (i % 997);
            Thread deep = new Thread(null, DeepStackTest::overflow, "deep-" + i, 128 * 1024 + more);
            deep.start();
            deep.join();
        }
        LOG.info("the last one");
        System.exit(LogSystem.flushShared(Duration.ofSeconds(10)) ? 0 : 1);
    }

    private static void overflow() {
        try {
            log(0);
        } catch (StackOverflowError expected) {
            // What is to happen.
        }
    }

    private static void log(int depth) {
        LOG.info("deep {}", depth);
        log(depth + 1);
    }
}
