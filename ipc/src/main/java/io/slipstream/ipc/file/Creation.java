package io.slipstream.ipc.file;

import io.slipstream.core.thread.Undisturbed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Creates the file of a channel in one step: it is written whole under another name, so that all its space is there,
 * and then linked to its own. A killed creator leaves the other name, which the next one removes.
 */
public final class Creation {
    private static final int FILL_BYTES = 1 << 20;
    private static final Set<StandardOpenOption> NEW_FILE =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);

    private Creation() {}

    public static void create(Path file, Layout layout) throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString(), null, "open it, or remove it first");
        }
        Undisturbed.call(() -> {
            write(file.toAbsolutePath(), layout);
            return layout;
        });
    }

    private static void write(Path file, Layout layout) throws IOException {
        sweep(file);
        Path draft = file.resolveSibling("." + file.getFileName() + "."
                + ProcessStart.ofThisProcess().pid() + "-" + Long.toHexString(layout.id()) + ".new");
        FileChannel channel = FileChannel.open(draft, NEW_FILE, ownerOnly());
        try {
            FileLock ignored = channel.tryLock(0, 1, false);
            fill(file, channel, layout);
            // With this channel the system takes away all locks of the file that this process has.
            ChannelFile.whileNobodyOpens(() -> {
                try (channel) {
                    publish(draft, file);
                }
                return file;
            });
        } finally {
            channel.close();
            Files.deleteIfExists(draft);
        }
    }

    private static void fill(Path file, FileChannel channel, Layout layout) throws IOException {
        long position = 0;
        try {
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(layout.fileBytes(), FILL_BYTES));
            while (position < layout.fileBytes()) {
                zeros.position(0).limit((int) Math.min(zeros.capacity(), layout.fileBytes() - position));
                position += channel.write(zeros, position);
            }
            ByteBuffer header = layout.header();
            for (long at = 0; header.hasRemaining(); ) {
                at += channel.write(header, at);
            }
        } catch (IOException e) {
            throw new IOException(
                    "cannot create " + file + " of " + layout.fileBytes() + " bytes: after " + position
                            + " of them: "
                            + e.getMessage() + "; make room, or choose another folder or a smaller ring",
                    e);
        }
    }

    private static void publish(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(file.toString(), null, "open it, or remove it first");
        } catch (UnsupportedOperationException e) {
            Files.move(draft, file);
        }
    }

    /** Removes what killed creators have left. */
    private static void sweep(Path file) throws IOException {
        String prefix = "." + file.getFileName() + ".";
        String own = prefix + ProcessStart.ofThisProcess().pid() + "-";
        try (DirectoryStream<Path> drafts = Files.newDirectoryStream(file.getParent(), path -> {
            String name = path.getFileName().toString();
            return name.startsWith(prefix) && name.endsWith(".new") && !name.startsWith(own);
        })) {
            for (Path draft : drafts) {
                removeIfLeft(draft);
            }
        }
    }

    private static void removeIfLeft(Path draft) throws IOException {
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.tryLock(0, 1, false) != null) {
                Files.deleteIfExists(draft);
            }
        } catch (NoSuchFileException e) {
            // Its creator lives and has finished meanwhile.
        }
    }

    private static FileAttribute<?>[] ownerOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        if (!posix) {
            return new FileAttribute<?>[0];
        }
        Set<PosixFilePermission> readAndWrite = PosixFilePermissions.fromString("rw-------");
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(readAndWrite)};
    }
}
