package io.slipstream.cluster.files;

import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.CatalogHeaderEncoder;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** The catalog of an archive: a header, and an entry for each recording, in the order of their numbers. */
public final class Recordings {
    /** Name of the file. */
    public static final String FILE = "archive.catalog";

    private static final int HEADER_BYTES = CatalogHeaderDecoder.BLOCK_LENGTH;
    private static final int ENTRY_HEADER_BYTES = RecordingDescriptorHeaderDecoder.BLOCK_LENGTH;
    private static final int CHECKSUM_OFFSET = RecordingDescriptorHeaderDecoder.checksumEncodingOffset();
    private static final int START_OFFSET =
            ENTRY_HEADER_BYTES + RecordingDescriptorDecoder.startPositionEncodingOffset();

    private final byte[] header;
    private final Map<Long, Recording> recordings = new TreeMap<>();

    private Recordings(Path file, byte[] catalog) throws IOException {
        UnsafeBuffer buffer = new UnsafeBuffer(catalog);
        if (catalog.length < HEADER_BYTES) {
            throw new IOException(file + " is no catalog of recordings: it has " + catalog.length + " bytes");
        }
        this.header = Arrays.copyOf(catalog, HEADER_BYTES);
        CatalogHeaderDecoder head = new CatalogHeaderDecoder();
        head.wrap(buffer, 0, HEADER_BYTES, CatalogHeaderDecoder.SCHEMA_VERSION);
        int alignment = head.alignment();
        if (alignment <= 0 || Integer.bitCount(alignment) != 1) {
            throw new IOException(file + " is no catalog of recordings: its entries are aligned to " + alignment);
        }
        RecordingDescriptorHeaderDecoder entry = new RecordingDescriptorHeaderDecoder();
        RecordingDescriptorDecoder descriptor = new RecordingDescriptorDecoder();
        int at = HEADER_BYTES;
        while (at + ENTRY_HEADER_BYTES + RecordingDescriptorDecoder.BLOCK_LENGTH <= catalog.length) {
            entry.wrap(buffer, at, ENTRY_HEADER_BYTES, RecordingDescriptorHeaderDecoder.SCHEMA_VERSION);
            if (entry.length() <= 0) {
                break;
            }
            long end = at + ((long) ENTRY_HEADER_BYTES + entry.length() + alignment - 1 & -alignment);
            if (end > catalog.length) {
                throw new IOException(file + " is damaged: the entry at byte " + at + " ends behind its end");
            }
            if (entry.state() == RecordingState.VALID) {
                descriptor.wrap(
                        buffer,
                        at + ENTRY_HEADER_BYTES,
                        RecordingDescriptorDecoder.BLOCK_LENGTH,
                        RecordingDescriptorDecoder.SCHEMA_VERSION);
                add(file, descriptor, Arrays.copyOfRange(catalog, at, (int) end));
            }
            at = (int) end;
        }
    }

    private void add(Path file, RecordingDescriptorDecoder descriptor, byte[] bytes) throws IOException {
        Recording recording = new Recording(
                descriptor.recordingId(),
                descriptor.startPosition(),
                descriptor.stopPosition(),
                descriptor.segmentFileLength(),
                descriptor.termBufferLength(),
                bytes);
        boolean isSound = recording.id() >= 0
                && recording.start() >= 0
                && recording.termBytes() > 0
                && recording.segmentBytes() >= recording.termBytes()
                && recording.segmentBytes() % recording.termBytes() == 0
                && (recording.stop() == Recording.RUNNING || recording.stop() >= recording.start());
        if (!isSound) {
            throw new IOException(file + " is damaged: recording " + recording.id() + " goes from " + recording.start()
                    + " to " + recording.stop() + " in files of " + recording.segmentBytes() + " bytes");
        }
        recordings.put(recording.id(), recording);
    }

    /** Reads the catalog of an archive. */
    public static Recordings read(Path archive) throws IOException {
        Path file = archive.resolve(FILE);
        return new Recordings(file, Files.readAllBytes(file));
    }

    /** Takes {@code bytes} for a catalog. */
    public static Recordings of(byte[] bytes) throws IOException {
        return new Recordings(Path.of(FILE), bytes);
    }

    /** Returns a recording; an {@link IOException} says that it is not there. */
    public Recording get(long id) throws IOException {
        Recording recording = recordings.get(id);
        if (recording == null) {
            throw new IOException("there is no recording " + id + " in the archive; it has " + recordings.keySet());
        }
        return recording;
    }

    /** Returns all that are valid, by number. */
    public List<Recording> all() {
        return List.copyOf(recordings.values());
    }

    /** Returns a catalog of some recordings alone; their numbers stay. */
    public byte[] only(List<Recording> some) {
        ByteArrayOutputStream catalog = new ByteArrayOutputStream();
        catalog.writeBytes(header);
        some.stream()
                .sorted((one, other) -> Long.compare(one.id(), other.id()))
                .forEach(recording -> catalog.writeBytes(recording.descriptor()));
        byte[] bytes = catalog.toByteArray();
        new CatalogHeaderEncoder()
                .wrap(new UnsafeBuffer(bytes), 0)
                .nextRecordingId(
                        1 + some.stream().mapToLong(Recording::id).max().orElse(-1));
        return bytes;
    }

    /** Returns a recording that lacks what is before {@code start}. */
    public static Recording from(long start, Recording recording) {
        ByteBuffer bytes = ByteBuffer.wrap(recording.descriptor().clone()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(START_OFFSET, start);
        CRC32C sum = new CRC32C();
        sum.update(bytes.array(), ENTRY_HEADER_BYTES, bytes.capacity() - ENTRY_HEADER_BYTES);
        bytes.putInt(CHECKSUM_OFFSET, (int) sum.getValue());
        return new Recording(
                recording.id(),
                start,
                recording.stop(),
                recording.segmentBytes(),
                recording.termBytes(),
                bytes.array());
    }
}
