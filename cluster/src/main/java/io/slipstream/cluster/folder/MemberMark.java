package io.slipstream.cluster.folder;

import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.files.MemberLog;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Says whose a member's folder is, and whether it holds all that the member has acknowledged: a file with {@code member
 * 2}, with {@code learner 2} while a replacement has not copied everything yet, or with {@code restored 2} until a
 * member that was made out of a backup has run. A folder from before there were marks holds a member if it has a log.
 */
public final class MemberMark {
    private static final String FILE = MemberLog.MARK;
    private static final String MEMBER = "member";
    private static final String LEARNER = "learner";
    private static final String RESTORED = "restored";

    /* Aeron makes both before it acknowledges anything. */
    private static final Path TERMS = Path.of("cluster", "recording.log");
    private static final Path RECORDINGS = Path.of("archive", "archive.catalog");

    private MemberMark() {}

    /**
     * Checks that a folder holds what it is expected to hold.
     *
     * @throws IOException with what to do, if it does not
     */
    public static void require(Path directory, int id, Joining joining) throws IOException {
        boolean isMarked = Files.exists(directory.resolve(FILE));
        boolean hasLog = Files.exists(directory.resolve(TERMS)) && Files.exists(directory.resolve(RECORDINGS));
        boolean isLearner = isMarked && kind(directory, id).equals(LEARNER);
        boolean isMember = isMarked ? !isLearner : hasLog;
        if (!isMarked && !hasLog) {
            requireNoJournal(directory);
        }
        switch (joining) {
            case AGAIN -> {
                if (isLearner) {
                    throw new IOException(directory + " does not hold all yet of the member that is replaced: start"
                            + " member " + id + " with --replace (Joining.REPLACE) again");
                }
                if (!isMember) {
                    throw new IOException(directory + " holds no member. If no member " + id + " was ever part of the"
                            + " cluster, start it with --form (Joining.FORM). If there was one, and its folder is"
                            + " lost, start it with --replace (Joining.REPLACE)");
                }
                if (!hasLog) {
                    throw new IOException(
                            isRestored(directory, id)
                                    ? directory + " was not restored to the end: remove it, and restore member " + id
                                            + " again"
                                    : directory + " has lost the log of member " + id + ": remove what is left, and"
                                            + " start it with --replace (Joining.REPLACE)");
                }
            }
            case FORM -> {
                if (isLearner || isMember) {
                    throw new IOException(directory + " is not empty, and a cluster is formed by empty members: start"
                            + " member " + id + " without --form (Joining.FORM)");
                }
            }
            case REPLACE -> {
                if (isMember) {
                    throw new IOException(directory + " holds a member that has its log: start it without --replace"
                            + " (Joining.REPLACE), or remove the folder if it is not to be used any more");
                }
            }
        }
    }

    private static void requireNoJournal(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(directory, "segment-*.journal")) {
            if (segments.iterator().hasNext()) {
                throw new IOException(directory + " holds the log of a service on one machine, and a cluster has a log"
                        + " of its own: give the member an empty folder");
            }
        }
    }

    private static String kind(Path directory, int id) throws IOException {
        String text = Files.readString(directory.resolve(FILE)).strip();
        for (String kind : new String[] {MEMBER, LEARNER, RESTORED}) {
            if (text.equals(kind + " " + id)) {
                return kind;
            }
        }
        throw new IOException(directory + " is the folder of '" + text + "', and does not hold what member " + id
                + " has acknowledged. Start member " + id + " on a folder of its own: an empty one with --replace"
                + " (Joining.REPLACE) if its own is lost");
    }

    /** Returns whether a folder was made out of a backup, and its member has not run since. */
    public static boolean isRestored(Path directory, int id) throws IOException {
        return Files.exists(directory.resolve(FILE)) && kind(directory, id).equals(RESTORED);
    }

    /** Notes that a folder is made out of a backup. */
    public static void restored(Path directory, int id) throws IOException {
        DurableText.write(directory, FILE, RESTORED + " " + id + "\n");
    }

    /** Notes that a folder has all that its member has acknowledged, unless it says so already. */
    public static void member(Path directory, int id) throws IOException {
        if (!Files.exists(directory.resolve(FILE)) || !kind(directory, id).equals(MEMBER)) {
            DurableText.write(directory, FILE, MEMBER + " " + id + "\n");
        }
    }

    /** Notes that a folder lacks what its member has acknowledged. */
    public static void learner(Path directory, int id) throws IOException {
        DurableText.write(directory, FILE, LEARNER + " " + id + "\n");
    }
}
