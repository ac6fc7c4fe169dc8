import io.slipstream.log.LogSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.slf4j.MDC;
import org.slf4j.basicTests.BasicMarkerTest;
import org.slf4j.basicTests.FluentAPIUsage;
import org.slf4j.helpers.MDCAdapterTestBase;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.testHarness.MultithreadedInitializationTest;

/**
 * Runs the tests that SLF4J has for its own providers on ours. It is compiled and run on the class path, as those tests
 * stand in the packages of the API; {@code Slf4jSuiteTest} starts it in a folder whose log goes to {@code app.log}.
 */
public final class Slf4jSuite {
    private Slf4jSuite() {}

    /** Many threads that ask for loggers while the provider is found: no event may be lost. */
    public static final class Initialization extends MultithreadedInitializationTest {
        private static final long QUIET_NANOS = 1_000_000_000;

        /** What was logged while the provider was sought is replayed by the thread that sought, maybe just now. */
        @Override
        protected long getRecordedEventCount() {
            long count = -1;
            for (long next = lines(); next > count; next = lines()) {
                count = next;
                LockSupport.parkNanos(QUIET_NANOS);
            }
            return count;
        }

        private static long lines() {
            LogSystem.shared().flush(Duration.ofSeconds(20));
            try {
                return Files.readAllLines(Path.of("app.log")).size();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The context of threads. */
    public static final class Context extends MDCAdapterTestBase {
        @Override
        protected MDCAdapter instantiateMDC() {
            return MDC.getMDCAdapter();
        }

        /** The basic adapter hands values down; the Javadoc of MDC says that a child has none of its parent's. */
        @Override
        public void testMDCInheritsValuesFromParentThread() {
            // Not a test here.
        }

        /** As above. */
        @Override
        public void testMDCChildThreadCanOverwriteParentThread() {
            // Not a test here.
        }
    }

    /** Runs them; the exit code is how many have failed. */
    public static void main(String[] arguments) {
        Result result =
                new JUnitCore().run(Initialization.class, Context.class, BasicMarkerTest.class, FluentAPIUsage.class);
        result.getFailures()
                .forEach(failure -> System.out.println(failure.getTestHeader() + ": " + failure.getTrace()));
        System.out.println(result.getRunCount() + " tests of SLF4J, " + result.getFailureCount() + " failed");
        System.exit(result.getFailureCount());
    }
}
