package io.slipstream.cluster.backup;

import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.copy.LocalCopy;
import io.slipstream.cluster.files.MemberCheck;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.folder.DirectoryLock;
import io.slipstream.cluster.folder.MemberMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the folder of a member out of a copy of the log, after a majority of the folders was lost. What was answered
 * since the copy was made is lost with them.
 */
public final class Restoration {
    private static final String COPY = "copy of ";

    /* What a restoration that was killed leaves. */
    private static final Set<String> OWN = Set.of("member.lock", MemberLog.MARK, MemberLog.MARK + ".new", "copy.new");

    private Restoration() {}

    /**
     * Makes it. Do this for each member, with the same copy, while none of them runs; then start them as after any
     * stop.
     *
     * <p>If one of the others leads by the time that the member starts, it copies what that one has instead, as a
     * member does that is replaced.
     *
     * @param copy      a backup, or a copy of a member's folder; is not changed
     * @param directory of the member: empty, or not there yet
     * @param id        number of the member
     * @return the position at which the log ends
     * @throws IOException if the copy is damaged, or none; or if the folder is not empty
     */
    public static long restore(Path copy, Path directory, int id) throws IOException {
        if (id < 0 || id >= Members.MOST) {
            throw new IllegalArgumentException("members have numbers from 0 to " + (Members.MOST - 1) + ", not " + id);
        }
        requireCopy(copy);
        for (MemberCheck.Finding finding : MemberCheck.of(copy)) {
            if (!finding.isWhole()) {
                throw new IOException("the " + finding.what() + " in " + copy + " is damaged: " + finding.damage()
                        + "; use another copy");
            }
        }
        requireEmpty(directory, id);
        try (DirectoryLock _ = DirectoryLock.of(directory)) {
            MemberMark.restored(directory, id);
            return LocalCopy.install(copy, directory);
        }
    }

    private static void requireCopy(Path copy) throws IOException {
        if (!MemberLog.isIn(copy)) {
            throw new IOException(copy + " is no copy of the log of a member: take one with 'cluster backup', or with"
                    + " 'journal copy' of a member's folder");
        }
        Path mark = copy.resolve(MemberLog.MARK);
        if (!Files.exists(mark) || !Files.readString(mark).startsWith(COPY)) {
            throw new IOException(copy + " is the folder of a member, which may run: make a copy of it with 'journal"
                    + " copy', and use that");
        }
    }

    private static void requireEmpty(Path directory, int id) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Set<String> names;
        try (Stream<Path> files = Files.list(directory)) {
            names = files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }
        boolean isLeft =
                OWN.containsAll(names) && (!names.contains(MemberLog.MARK) || MemberMark.isRestored(directory, id));
        if (!isLeft) {
            throw new IOException(
                    directory + " is not empty: restore member " + id + " into a folder that is, or that is not there");
        }
    }
}
