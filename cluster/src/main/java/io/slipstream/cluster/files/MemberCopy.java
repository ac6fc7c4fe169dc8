package io.slipstream.cluster.files;

import io.slipstream.core.thread.Undisturbed;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import org.agrona.IoUtil;

/**
 * Copies what a member keeps of its log, while it runs or not, as it is at some point in time during the call. No
 * member starts on the copy, since a member must have all that it ever acknowledged; it is to be looked at, or to be
 * restored when a majority is lost.
 */
public final class MemberCopy {
    private static final int MOST_ATTEMPTS = 5;
    private static final int BUFFER_BYTES = 1 << 18;
    private static final String LIST = "recording.log";

    private final Path directory;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

    private MemberCopy(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes a copy. It is durable when this returns.
     *
     * @param target     a folder that is not there yet
     * @param companions names of files that are copied, too, if they are there
     * @return the position in the log at which it ends
     */
    public static long make(Path directory, Path target, Collection<String> companions) throws IOException {
        if (Files.exists(target)) {
            throw new FileAlreadyExistsException(target + " is there already; a copy needs a new folder");
        }
        Path part = target.resolveSibling(target.getFileName() + ".part");
        for (int attempt = 1; ; attempt++) {
            IoUtil.delete(part.toFile(), true);
            try {
                long end = Undisturbed.call(() -> new MemberCopy(directory).to(part, companions));
                Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
                return end;
            } catch (NoSuchFileException e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw new IOException(
                            "the log in " + directory + " was trimmed each time that a copy was under way; try again",
                            e);
                }
            }
        }
    }

    private long to(Path part, Collection<String> companions) throws IOException {
        Path archive = Files.createDirectories(part.resolve("archive"));
        Path cluster = Files.createDirectories(part.resolve("cluster"));
        mark(part);
        MemberLog log = MemberLog.of(directory);
        copy(directory.resolve("cluster").resolve(LIST), cluster.resolve(LIST));
        Recordings recordings = Recordings.read(directory.resolve("archive"));
        List<Recording> copied = recordings.all().stream()
                .filter(recording -> recording.id() == log.recording().id()
                        || log.terms().all().stream()
                                .anyMatch(entry -> entry.isSnapshot()
                                        && entry.position() >= log.start()
                                        && entry.recording() == recording.id()))
                .toList();
        for (Recording recording : copied) {
            copy(recording, log.frames(recording).end(), archive);
        }
        try (FileOutputStream catalog =
                new FileOutputStream(archive.resolve(Recordings.FILE).toFile())) {
            catalog.write(recordings.only(copied));
            catalog.getFD().sync();
        }
        for (String companion : companions) {
            if (Files.exists(directory.resolve(companion))) {
                copy(directory.resolve(companion), part.resolve(companion));
            }
        }
        for (Path folder : List.of(archive, cluster, part)) {
            try (Storage storage = FileStorage.open(folder)) {
                storage.syncDirectory();
            }
        }
        return log.frames(log.recording()).end();
    }

    private void mark(Path part) throws IOException {
        Path own = directory.resolve(MemberLog.MARK);
        String whose = Files.exists(own) ? Files.readString(own).strip() : "a member";
        try (FileOutputStream out =
                new FileOutputStream(part.resolve(MemberLog.MARK).toFile())) {
            out.write(("copy of " + whose + "\n").getBytes(StandardCharsets.UTF_8));
            out.getFD().sync();
        }
    }

    private void copy(Recording recording, long end, Path to) throws IOException {
        Path from = directory.resolve("archive");
        for (long at = recording.segmentOf(recording.start()); at < end; at += recording.segmentBytes()) {
            copy(
                    recording.file(from, at),
                    recording.file(to, at),
                    Math.min(recording.segmentBytes(), end - at),
                    recording.segmentBytes());
        }
    }

    private void copy(Path from, Path to) throws IOException {
        long bytes = Files.size(from);
        copy(from, to, bytes, bytes);
    }

    private void copy(Path from, Path to, long bytes, long length) throws IOException {
        try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                RandomAccessFile out = new RandomAccessFile(to.toFile(), "rw")) {
            for (long at = 0; at < bytes; at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - at));
                while (buffer.hasRemaining()) {
                    if (in.read(buffer, at + buffer.position()) < 0) {
                        throw new IOException(from + " ends before byte " + bytes);
                    }
                }
                out.write(buffer.array(), 0, buffer.limit());
            }
            out.setLength(length);
            out.getFD().sync();
        }
    }
}
