package io.slipstream.data.arrow;

import io.slipstream.data.arrow.FlatBuffer.Structs;
import io.slipstream.data.arrow.FlatBuffer.Table;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Writes a file or a stream of Arrow: the schema when it is created, then dictionaries, then batches, then the end. One
 * thread.
 */
public final class ArrowOutput {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int SCHEMA = 1;
    private static final int DICTIONARY_BATCH = 2;
    private static final int RECORD_BATCH = 3;
    private static final int VERSION_5 = 4;
    private static final int PREFIX_BYTES = 8;
    private static final int SMALL = 1 << 12;

    private final WritableByteChannel out;
    private final boolean isFile;
    private final List<ArrowField> fields;
    private final LongStream.Builder dictionaries = LongStream.builder();
    private final LongStream.Builder batches = LongStream.builder();

    /** What is short is gathered here. */
    private final ByteBuffer gathered = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);

    private long position;

    /** Writes the schema to {@code out}, which stays the caller's to close. */
    public ArrowOutput(WritableByteChannel out, boolean isFile, List<ArrowField> fields) throws IOException {
        this.out = out;
        this.isFile = isFile;
        this.fields = fields;
        if (isFile) {
            write(ByteBuffer.wrap(MAGIC));
            zeros(2);
        }
        message(SCHEMA, ArrowField.schema(fields), 0);
    }

    /** Writes the dictionary of this number. */
    public void dictionary(long id, ArrowBatch texts) throws IOException {
        Table header = new Table().number(0, 8, id).node(1, texts.table());
        write(DICTIONARY_BATCH, header, texts, dictionaries);
    }

    /** Writes rows. */
    public void batch(ArrowBatch rows) throws IOException {
        write(RECORD_BATCH, rows.table(), rows, batches);
    }

    /** Writes the end; that of a file says where everything is. */
    public void end() throws IOException {
        prefix(0);
        if (isFile) {
            byte[] footer = FlatBuffer.of(new Table()
                    .number(0, 2, VERSION_5)
                    .node(1, ArrowField.schema(fields))
                    .node(2, new Structs(3, dictionaries.build().toArray()))
                    .node(3, new Structs(3, batches.build().toArray())));
            write(ByteBuffer.wrap(footer));
            room(Integer.BYTES).putInt(footer.length);
            write(ByteBuffer.wrap(MAGIC));
        }
        flush();
    }

    private void write(int kind, Table header, ArrowBatch batch, LongStream.Builder places) throws IOException {
        places.accept(position);
        places.accept(message(kind, header, batch.bodyBytes()));
        places.accept(batch.bodyBytes());
        for (MemorySegment buffer : batch.buffers()) {
            if (buffer.byteSize() > 0) {
                write(buffer);
                zeros(ArrowBatch.padded(buffer.byteSize()) - buffer.byteSize());
            }
        }
    }

    /** Writes the metadata of a message up to where its body begins; returns how many bytes these are. */
    private int message(int kind, Table header, long bodyBytes) throws IOException {
        byte[] metadata = FlatBuffer.of(new Table()
                .number(0, 2, VERSION_5)
                .number(1, 1, kind)
                .node(2, header)
                .number(3, 8, bodyBytes));
        int bytes = (int) (ArrowBatch.padded(position + PREFIX_BYTES + metadata.length) - position);
        prefix(bytes - PREFIX_BYTES);
        write(ByteBuffer.wrap(metadata));
        zeros(bytes - PREFIX_BYTES - metadata.length);
        return bytes;
    }

    private void prefix(int metadataBytes) throws IOException {
        room(PREFIX_BYTES).putInt(-1).putInt(metadataBytes);
    }

    private void zeros(long count) throws IOException {
        ByteBuffer to = room((int) count);
        for (int i = 0; i < count; i++) {
            to.put((byte) 0);
        }
    }

    /** Returns where so many bytes are to be put. */
    private ByteBuffer room(int bytes) throws IOException {
        if (gathered.remaining() < bytes) {
            flush();
        }
        position += bytes;
        return gathered;
    }

    private void write(MemorySegment buffer) throws IOException {
        // None has more than 2 GiB.
        write(buffer.asByteBuffer());
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() <= SMALL) {
            room(bytes.remaining()).put(bytes);
        } else {
            flush();
            position += bytes.remaining();
            drain(bytes);
        }
    }

    private void flush() throws IOException {
        drain(gathered.flip());
        gathered.clear();
    }

    private void drain(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }
}
