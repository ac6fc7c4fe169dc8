package io.slipstream.cluster.backup;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.copy.CopyFetch;
import io.slipstream.cluster.files.MemberCheck;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.folder.DirectoryLock;
import io.slipstream.cluster.folder.DurableText;
import io.slipstream.cluster.wire.ControlLines;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Undisturbed;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.jspecify.annotations.Nullable;

/**
 * A folder with backups of a cluster's log, on a machine that reaches the members: {@code backup-00000001} and so on,
 * each with the last snapshot and the log behind it. A backup is there as a whole or not at all, and durable. The
 * members go on while one is taken. For one thread.
 */
public final class Backups {
    private static final String PREFIX = "backup-";
    private static final String PART = ".part";
    private static final Pattern NAME = Pattern.compile(PREFIX + "\\d{8}");
    private static final Pattern PART_NAME = Pattern.compile(NAME + "\\" + PART);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 200_000_000;

    private final Path directory;
    private final Members members;
    private final @Nullable String token;
    private final Duration patience;

    /**
     * Creates it; nothing is written before {@link #take}.
     *
     * @param directory of the backups; is made if it is not there
     * @param token     of the members' control ports; null if they have none
     * @throws IllegalArgumentException if the token is too short to be one
     */
    public Backups(Path directory, Members members, @Nullable String token) {
        this(directory, members, ControlLines.requireLong(token), PATIENCE);
    }

    private Backups(Path directory, Members members, @Nullable String token, Duration patience) {
        this.directory = directory;
        this.members = members;
        this.token = token;
        this.patience = patience;
    }

    /** As this, but looks for a leader for that long, 30 s unless set: it takes a while to elect one. */
    public Backups withPatience(Duration newPatience) {
        return new Backups(directory, members, token, Objects.requireNonNull(newPatience, "patience"));
    }

    /**
     * Takes a backup from the leader. It has all that was answered before this was called.
     *
     * @return the folder of the backup
     * @throws IOException if there is no leader; or if the copy breaks off, is damaged, or cannot be kept
     */
    public Path take() throws IOException {
        return Undisturbed.call(this::takeHere);
    }

    private Path takeHere() throws IOException {
        try (DirectoryLock _ = lock()) {
            for (Path left : named(PART_NAME)) {
                IoUtil.delete(left.toFile(), true);
            }
            Path backup = directory.resolve(String.format(Locale.ROOT, "%s%08d", PREFIX, lastNumber() + 1));
            Path part = backup.resolveSibling(backup.getFileName() + PART);
            try {
                fetch(part);
                for (MemberCheck.Finding finding : MemberCheck.of(part)) {
                    if (!finding.isWhole()) {
                        throw new IOException(
                                "the " + finding.what() + " that the leader has sent is damaged: " + finding.damage());
                    }
                }
            } catch (IOException | RuntimeException e) {
                IoUtil.delete(part.toFile(), true);
                throw e;
            }
            Files.move(part, backup, StandardCopyOption.ATOMIC_MOVE);
            sync();
            return backup;
        }
    }

    private void fetch(Path part) throws IOException {
        CopyFetch fetch = new CopyFetch(part, -1);
        long begin = System.nanoTime();
        while (true) {
            StringJoiner reasons = new StringJoiner("; ");
            for (MemberAddress member : members.all()) {
                try {
                    fetch.from(member, token, () -> {});
                    DurableText.write(part, MemberLog.MARK, "copy of member " + member.id() + "\n");
                    return;
                } catch (CopyFetch.OwnDiskException e) {
                    throw e;
                } catch (IOException e) {
                    reasons.add("member " + member.id() + ": " + e.getMessage());
                }
            }
            if (System.nanoTime() - begin > Patience.nanos(patience)) {
                throw new IOException("no member has sent a copy of its log. " + reasons);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns the backups, the oldest one first. */
    public List<Path> all() throws IOException {
        return Files.isDirectory(directory) ? named(NAME) : List.of();
    }

    /** Removes all but the last {@code count} backups, and returns what it has removed. */
    public List<Path> keep(int count) throws IOException {
        if (count < 1) {
            throw new IllegalArgumentException("one backup or more are kept, not " + count);
        }
        try (DirectoryLock _ = lock()) {
            List<Path> all = named(NAME);
            List<Path> removed = all.subList(0, Math.max(0, all.size() - count));
            for (Path backup : removed) {
                // One that was removed in part must not pass for a backup.
                Path part = backup.resolveSibling(backup.getFileName() + PART);
                Files.move(backup, part, StandardCopyOption.ATOMIC_MOVE);
                IoUtil.delete(part.toFile(), true);
            }
            sync();
            return List.copyOf(removed);
        }
    }

    private DirectoryLock lock() throws IOException {
        return DirectoryLock.of(directory, "backup.lock", "another process takes a backup in " + directory);
    }

    private long lastNumber() throws IOException {
        List<Path> all = named(NAME);
        return all.isEmpty()
                ? 0
                : Long.parseLong(all.getLast().getFileName().toString().substring(PREFIX.length()));
    }

    private List<Path> named(Pattern pattern) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file ->
                            pattern.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    private void sync() throws IOException {
        try (Storage folder = FileStorage.open(directory)) {
            folder.syncDirectory();
        }
    }
}
