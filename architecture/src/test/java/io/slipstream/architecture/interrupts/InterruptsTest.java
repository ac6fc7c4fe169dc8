package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** As {@link Interrupts} says, of what a service stands on. */
class InterruptsTest extends Interrupts {
    InterruptsTest() {
        super(WITHOUT_FLAGS, Set.of("core", "data", "journal", "ipc", "log"));
    }

    /** All that this test is to find. */
    public static final class Careless implements AutoCloseable {
        private final Path path;
        private final FileChannel file;

        public Careless(Path path) throws IOException {
            this.path = path;
            this.file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }

        public void writesInterruptibly() throws IOException {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(8));
            }
        }

        public void blamesTheDevice() throws IOException {
            try {
                writesInterruptibly();
            } catch (ClosedByInterruptException e) {
                throw new IOException("cannot create it: " + e.getMessage() + "; make room");
            }
        }

        public void losesItsFile() throws IOException {
            try {
                file.write(ByteBuffer.allocate(8));
            } catch (ClosedByInterruptException e) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
        }

        public void forgetsTheInterrupt() {
            Thread.interrupted();
        }

        public void refusesTheInterrupted() {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted");
            }
        }

        public void waitsForever() {
            while (true) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    // It goes on.
                }
            }
        }

        public void takesWhatNobodyMakes(StringJoiner joiner) {
            assertThat(joiner).isNotNull();
        }

        void requireWorking() throws IOException {
            assertThat(file.size()).isNotNegative();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    @Test
    void findsWhatACarelessClassDoes() {
        probes().works(Careless.class, Careless::requireWorking);
        List<String> faults =
                new InterruptedCalls(probes(), this::values, Duration.ofSeconds(5)).faultsOf(Careless.class);
        List<String> expected = List.of(
                "blamesTheDevice[] throws java.io.IOException: cannot create it: null; make room",
                "forgetsTheInterrupt[] loses the interrupt",
                "losesItsFile[] leaves what no longer works: java.nio.channels.ClosedChannelException",
                "refusesTheInterrupted[] throws, but on a calm thread does not",
                "takesWhatNobodyMakes[StringJoiner] needs a probe",
                "waitsForever[] hangs",
                "writesInterruptibly[] throws java.nio.channels.ClosedByInterruptException");
        assertThat(faults).hasSameSizeAs(expected);
        for (int i = 0; i < faults.size(); i++) {
            assertThat(faults.get(i)).startsWith("Careless." + expected.get(i));
        }
    }
}
