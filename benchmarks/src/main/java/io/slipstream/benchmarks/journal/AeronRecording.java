package io.slipstream.benchmarks.journal;

import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * Aeron Archive in the same process: a publication over IPC that it records, with the modes that share threads, because
 * there are hardly more processors than two.
 */
final class AeronRecording implements AutoCloseable {
    private static final String CHANNEL = "aeron:ipc?term-length=16m";
    private static final int STREAM = 33;

    private final ArchivingMediaDriver driver;
    private final AeronArchive archive;
    private final ExclusivePublication publication;
    private final CountersReader counters;
    private final int recorded;
    private final UnsafeBuffer message;

    AeronRecording(Path folder, int fileSyncLevel, int payloadBytes) {
        String directory = CommonContext.generateRandomDirName();
        MediaDriver.Context media = new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true);
        Archive.Context context = new Archive.Context()
                .aeronDirectoryName(directory)
                .archiveDir(folder.toFile())
                .threadingMode(ArchiveThreadingMode.SHARED)
                .fileSyncLevel(fileSyncLevel)
                .catalogFileSyncLevel(fileSyncLevel)
                .controlChannelEnabled(false)
                .archiveClientContext(
                        new AeronArchive.Context().controlResponseChannel("aeron:udp?endpoint=localhost:0"))
                .replicationChannel("aeron:udp?endpoint=localhost:0");
        driver = ArchivingMediaDriver.launch(media, context);
        archive = AeronArchive.connect(new AeronArchive.Context()
                .aeronDirectoryName(directory)
                .controlRequestChannel(context.localControlChannel())
                .controlRequestStreamId(context.localControlStreamId())
                .controlResponseChannel("aeron:ipc"));
        publication = archive.addRecordedExclusivePublication(CHANNEL, STREAM);
        counters = archive.context().aeron().countersReader();
        int found = CountersReader.NULL_COUNTER_ID;
        while (found == CountersReader.NULL_COUNTER_ID) {
            Thread.yield();
            found = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId());
        }
        recorded = found;
        message =
                new UnsafeBuffer(Payload.frames(payloadBytes, 1).asByteBuffer().slice(0, payloadBytes));
    }

    /**
     * Publishes {@code count} messages, waits after each {@code batch} of them until they are recorded; nanoseconds.
     */
    long record(long count, long batch) {
        long begin = System.nanoTime();
        for (long number = 1; number <= count; number++) {
            message.putLong(0, number);
            while (publication.offer(message, 0, message.capacity()) < 0) {
                Thread.yield();
            }
            if (number % batch == 0) {
                await();
            }
        }
        await();
        return System.nanoTime() - begin;
    }

    private void await() {
        while (counters.getCounterValue(recorded) < publication.position()) {
            Thread.yield();
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(publication, archive, driver);
    }
}
