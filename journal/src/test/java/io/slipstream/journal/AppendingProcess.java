package io.slipstream.journal;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A process that appends to a journal for ever, or until the journal fails, and prints what it knows:
 * {@code open N}, then {@code appending N} before each batch with the last record in it, {@code acked N} after each
 * commit (at NONE after a flush, since there a commit promises nothing), and {@code full N} or {@code failed N} with
 * what was durable then. Each record names the life that has written it. If it is told to, it follows with a tailer and
 * trims what that has seen.
 */
final class AppendingProcess {
    private AppendingProcess() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Durability durability = Durability.valueOf(arguments[1]);
        WriteMode mode = WriteMode.valueOf(arguments[2]);
        int segmentBytes = Integer.parseInt(arguments[3]);
        boolean trims = Boolean.parseBoolean(arguments[4]);
        int prepared = Integer.parseInt(arguments[5]);
        String life = arguments[6];
        PrintStream out = System.out;
        SplittableRandom random = new SplittableRandom(ProcessHandle.current().pid());
        Journal journal = Journal.open(
                folder,
                JournalConfig.at(durability)
                        .withSegmentBytes(segmentBytes)
                        .withWriteMode(mode)
                        .withPreparedSegments(prepared));
        out.println("open " + (journal.nextSequence() - 1));
        try {
            while (true) {
                int count = 1 + random.nextInt(20);
                out.println("appending " + (journal.nextSequence() - 1 + count));
                // This also flushes: it must be known how far the batch goes before anything of it can be there.
                if (out.checkError()) {
                    // Nobody listens any more, because the test has been ended.
                    Runtime.getRuntime().halt(1);
                }
                for (int i = 0; i < count; i++) {
                    Records.append(journal, payload(journal.nextSequence(), life));
                }
                journal.commit();
                if (durability != Durability.NONE) {
                    out.println("acked " + journal.durableSequence());
                } else if (random.nextInt(4) == 0) {
                    journal.flush();
                    out.println("acked " + (journal.nextSequence() - 1));
                }
                if (trims && random.nextInt(4) == 0) {
                    follow(journal);
                    journal.trim(journal.nextSequence() - 500);
                }
            }
        } catch (JournalFullException e) {
            journal.commit();
            out.println("full " + journal.durableSequence());
            journal.close();
        } catch (JournalFailedException e) {
            out.println("failed " + journal.durableSequence());
            try {
                journal.commit();
                out.println("committed after a failure");
            } catch (JournalFailedException again) {
                out.println("still failed " + journal.durableSequence());
            }
        }
    }

    private static void follow(Journal journal) throws JournalException {
        try (Tailer tailer = journal.tailer("follower")) {
            tailer.poll((memory, offset, length) -> {}, Integer.MAX_VALUE);
            tailer.commit();
        }
    }

    /** Returns the payload of a record, which depends on its sequence alone. */
    static String payload(long sequence) {
        return sequence + ":" + "x".repeat((int) (sequence * 7919 % 300)) + sequence % 10;
    }

    /** Returns the payload of a record that this life has written; it is the one above for a life without a name. */
    static String payload(long sequence, String life) {
        return payload(sequence) + life;
    }
}
