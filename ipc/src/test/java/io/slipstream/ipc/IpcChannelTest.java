package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.ipc.errors.ChannelException;
import io.slipstream.ipc.errors.DetachedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IpcChannelTest {
    private static final int MOST = 200;

    @TempDir
    Path folder;

    private IpcChannel create(boolean many) throws IOException {
        return IpcChannel.create(folder.resolve("a.ipc"), new ChannelSettings(4096, many, 8, false));
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deliversEachMessageOnceAndInOrderOverManyLaps(boolean many) throws IOException {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            List<Long> seen = new ArrayList<>();
            for (long number = 0; number < 5000; number++) {
                while (!Channels.tryPublish(publisher, number, MOST)) {
                    seen.addAll(Channels.drain(subscriber, MOST));
                }
            }
            seen.addAll(Channels.drain(subscriber, MOST));
            assertThat(seen).isEqualTo(numbers(0, 5000));
            assertThat(subscriber.position()).isEqualTo(channel.tail());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takesMessagesUpToHalfOfTheRing(boolean many) throws IOException {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            assertThat(publisher.maxMessageLength()).isEqualTo(2040);
            for (int round = 0; round < 20; round++) {
                publisher.publish(MemorySegment.ofArray(new byte[round % 3 * 10]));
                publisher.publish(MemorySegment.ofArray(new byte[1500]));
                assertThat(subscriber.poll((_, _, _, _) -> {})).isEqualTo(2);
                publisher.publish(MemorySegment.ofArray(new byte[2040]));
                assertThat(subscriber.poll(
                                (_, _, length, _) -> assertThat(length).isEqualTo(2048)))
                        .isEqualTo(1);
            }
            assertThatThrownBy(() -> publisher.tryClaim(2041))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0 to 2040");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesAClaimWhileASubscriberHoldsTheRing(boolean many) throws IOException {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber fast = channel.newSubscriber("fast", Start.NEWEST)) {
            IpcSubscriber slow = channel.newSubscriber("slow", Start.NEWEST);
            long published = 0;
            while (Channels.tryPublish(publisher, published, MOST)) {
                published++;
                Channels.drain(fast, MOST);
            }
            assertThat(publisher.tryClaim(Channels.lengthOf(published, MOST), Duration.ofMillis(1)))
                    .isEqualTo(IpcPublisher.NO_ROOM);
            slow.close();
            assertThat(Channels.tryPublish(publisher, published, MOST)).isTrue();
            assertThat(Channels.drain(fast, MOST)).containsExactly(published);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void neverShowsWhatWasAborted(boolean many) throws IOException {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            for (long number = 0; number < 500; number++) {
                long claim = publisher.claim(Channels.lengthOf(number + 7, MOST));
                publisher
                        .memory()
                        .asSlice(publisher.messageOffset(claim), Channels.lengthOf(number + 7, MOST))
                        .fill((byte) 0x55);
                assertThatThrownBy(() -> publisher.tryClaim(1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("still open");
                publisher.abort(claim);
                assertThatThrownBy(() -> publisher.publish(claim)).isInstanceOf(IllegalStateException.class);
                Channels.publish(publisher, number, MOST);
                assertThat(Channels.drain(subscriber, MOST)).containsExactly(number);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lateJoinersBeginAtTheNewestOrTheOldestThatIsThere(boolean many) throws IOException {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("p")) {
            for (long number = 0; number < 1000; number++) {
                Channels.publish(publisher, number, MOST);
            }
            try (IpcSubscriber oldest = channel.newSubscriber("o", Start.OLDEST);
                    IpcSubscriber newest = channel.newSubscriber("n", Start.NEWEST);
                    IpcObserver observer = channel.newObserver("v", Start.OLDEST)) {
                assertThat(Channels.drain(newest, MOST)).isEmpty();
                List<Long> old = Channels.drain(oldest, MOST);
                assertThat(old).isEqualTo(numbers(1000 - old.size(), 1000));
                assertThat(old).hasSizeGreaterThan(20);
                assertThat(Channels.drain(observer, MOST)).isEqualTo(old);
                Channels.publish(publisher, 1000, MOST);
                assertThat(Channels.drain(newest, MOST)).containsExactly(1000L);
                assertThat(Channels.drain(oldest, MOST)).containsExactly(1000L);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void observersHoldNobodyUpAndKnowWhatTheyMissed(boolean many) throws IOException {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcObserver observer = channel.newObserver("o", Start.NEWEST)) {
            long begin = observer.position();
            for (long number = 0; number < 1000; number++) {
                Channels.publish(publisher, number, MOST);
            }
            List<Long> seen = Channels.drain(observer, MOST);
            assertThat(seen).isEqualTo(numbers(1000 - seen.size(), 1000)).hasSizeGreaterThan(5);
            assertThat(observer.missedBytes()).isPositive().isLessThan(channel.tail() - begin);
            assertThat(observer.drops()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPatientObserverIsWaitedForAndThenDroppedAndKnowsIt(boolean many) throws IOException {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcObserver patient = channel.newObserver("o", Start.NEWEST, Duration.ofHours(1));
                IpcObserver impatient = channel.newObserver("i", Start.NEWEST, Duration.ZERO)) {
            long number = 0;
            while (Channels.tryPublish(publisher, number, MOST)) {
                number++;
            }
            assertThat(Channels.drain(patient, MOST)).isEqualTo(numbers(0, number));
            for (long more = number; more < number + 100; more++) {
                Channels.publish(publisher, more, MOST);
                assertThat(Channels.drain(patient, MOST)).containsExactly(more);
            }
            assertThat(channel.parties())
                    .filteredOn(Party::dropped)
                    .extracting(Party::name)
                    .containsExactly("i");
            List<Long> seen = Channels.drain(impatient, MOST);
            assertThat(seen).isEqualTo(numbers(number + 100 - seen.size(), number + 100));
            assertThat(impatient.drops()).isEqualTo(1);
            assertThat(impatient.missedBytes()).isPositive();
            assertThat(channel.parties()).noneMatch(Party::dropped);
        }
    }

    @Test
    void onePublisherIsTheOnlyOneAndItsSuccessorGoesOn() throws IOException {
        try (IpcChannel channel = create(false);
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            IpcPublisher first = channel.newPublisher("first");
            Channels.publish(first, 1, MOST);
            assertThatThrownBy(() -> channel.newPublisher("second"))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("for one publisher")
                    .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
            first.tryClaim(100);
            first.close();
            try (IpcPublisher second = channel.newPublisher("second")) {
                Channels.publish(second, 2, MOST);
            }
            assertThat(Channels.drain(subscriber, MOST)).containsExactly(1L, 2L);
            assertThatThrownBy(() -> first.tryClaim(1)).isInstanceOf(DetachedException.class);
        }
    }

    @Test
    void theLastOneOutRemovesTheFileUnlessItIsKept() throws IOException {
        Path file = folder.resolve("a.ipc");
        IpcChannel one = create(false);
        IpcChannel two = IpcChannel.open(file);
        one.close();
        assertThat(file).exists();
        two.close();
        assertThat(file).doesNotExist();
        Path kept = folder.resolve("kept.ipc");
        IpcChannel.create(kept, ChannelSettings.onePublisher(4096).keptWhenClosed())
                .close();
        assertThat(kept).exists();
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(kept);
        }
    }

    @Test
    void theFileIsForItsOwnerOnly() throws IOException {
        try (IpcChannel channel = create(false)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(channel.file())))
                    .isEqualTo("rw-------");
            Files.setPosixFilePermissions(channel.file(), PosixFilePermissions.fromString("rw-r-----"));
        }
        Path open = folder.resolve("open.ipc");
        IpcChannel.create(open, ChannelSettings.onePublisher(4096).keptWhenClosed())
                .close();
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-rw----"));
        assertThatThrownBy(() -> IpcChannel.open(open))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("mode 660");
    }

    @Test
    void aFileOfAnotherUserIsRefusedThoughItsModeIsRight() throws IOException {
        Path foreign = folder.resolve("foreign.ipc");
        IpcChannel.create(foreign, ChannelSettings.onePublisher(4096).keptWhenClosed())
                .close();
        try {
            Files.setOwner(
                    foreign,
                    foreign.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        } catch (IOException e) {
            Assumptions.abort("only root may give a file to another user: " + e);
        }
        assertThatThrownBy(() -> IpcChannel.open(foreign))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("it belongs to user ");
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        assertThatThrownBy(() -> IpcChannel.open(folder.resolve("none.ipc"))).isInstanceOf(NoSuchFileException.class);
        try (IpcChannel channel = create(false)) {
            assertThatThrownBy(() -> create(false)).isInstanceOf(FileAlreadyExistsException.class);
            for (int i = 0; i < 8; i++) {
                channel.newObserver("o" + i, Start.NEWEST);
            }
            assertThatThrownBy(() -> channel.newSubscriber("s", Start.NEWEST))
                    .hasMessageContaining("all its 8 slots are taken");
        }
        assertThatThrownBy(() -> IpcChannel.named("../x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChannelSettings.onePublisher(5000)).hasMessageContaining("not 5000");
    }

    @Test
    void anInterruptNeitherClosesTheFileNorFreesItsLocks() throws IOException {
        Thread.currentThread().interrupt();
        try (IpcChannel channel = create(true);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            Channels.publish(publisher, 1, MOST);
            assertThat(Channels.drain(subscriber, MOST)).containsExactly(1L);
            assertThat(channel.buryDead()).isZero();
            assertThat(channel.parties()).hasSize(2).allMatch(Party::alive).allMatch(Party::seen);
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aHandlerThatThrowsHasHadItsMessage() throws IOException {
        try (IpcChannel channel = create(false);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            Channels.publish(publisher, 1, MOST);
            Channels.publish(publisher, 2, MOST);
            assertThatThrownBy(() -> subscriber.poll((_, _, _, _) -> {
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            assertThat(Channels.drain(subscriber, MOST)).containsExactly(2L);
        }
    }

    @Test
    void batchesEndWhereNothingMoreIsThere() throws IOException {
        try (IpcChannel channel = create(false);
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            for (int i = 0; i < 5; i++) {
                Channels.publish(publisher, i, MOST);
            }
            List<Boolean> ends = new ArrayList<>();
            assertThat(subscriber.poll((_, _, _, endOfBatch) -> ends.add(endOfBatch), 3))
                    .isEqualTo(3);
            assertThat(subscriber.poll((_, _, _, endOfBatch) -> ends.add(endOfBatch)))
                    .isEqualTo(2);
            assertThat(ends).containsExactly(false, false, true, false, true);
        }
    }
}
