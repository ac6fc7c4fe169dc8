package io.slipstream.cluster.copy;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.wire.ControlCall;
import io.slipstream.service.host.Host;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fills the folder of a member that lacks what the others have: one that has lost its own, or was away until the log of
 * the leader began behind the end of its own.
 *
 * <p>Whatever a lost member has acknowledged, it has before this begins. A leader that gets an entry committed after it
 * was asked for a copy has a majority without this member, so it has everything that was committed until then. The copy
 * has all that the lost member has helped to commit, and the member may vote again. One that still has its own log has
 * acknowledged no more than that, and what the leader has removed was committed.
 */
public final class CatchUp {
    private static final System.Logger LOG = System.getLogger("io.slipstream.cluster");
    private static final long PATIENCE_NANOS = 180_000_000_000L;
    private static final long PAUSE_NANOS = 200_000_000;
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final String LOG_COMMAND = "log";
    private static final String ANSWER = "log ";

    private final ClusterConfig config;
    private final @Nullable String token;

    /**
     * Creates it for a member.
     *
     * @param token of the members' control ports; null if they have none
     */
    public CatchUp(ClusterConfig config, @Nullable String token) {
        this.config = config;
        this.token = token;
    }

    /** Returns what a member says to whoever asks where its log begins, if it leads. */
    public static String answer(MemberLog log) {
        return ANSWER + log.start();
    }

    /** Returns whether somebody asks where the log begins. */
    public static boolean asksForStart(String command) {
        return command.equals(LOG_COMMAND);
    }

    /** Returns whether somebody asks for a copy. */
    public static boolean asksForCopy(String command) {
        return command.startsWith(CopyFetch.COMMAND);
    }

    /**
     * Returns whether the member could not get what it lacks from the leader's log any more, as far as the leader
     * answers now.
     */
    public boolean lacks(Path directory) throws IOException {
        long start = leadersStart();
        return start > 0 && MemberLog.isIn(directory) && MemberLog.endIn(directory) < start;
    }

    /** Returns whether one of the others says that it leads. */
    public boolean hasLeader() {
        return leadersStart() >= 0;
    }

    private long leadersStart() {
        for (MemberAddress other : config.members().all()) {
            if (other.id() != config.id()) {
                try (ControlCall call = new ControlCall(other, token, LOOK)) {
                    String answer = call.ask(LOG_COMMAND, LOOK);
                    if (answer.startsWith(ANSWER)) {
                        return Long.parseLong(answer.substring(ANSWER.length()));
                    }
                } catch (IOException | NumberFormatException e) {
                    // It does not run or does not lead; if it is the leader, it will be asked again.
                }
            }
        }
        return -1;
    }

    /** Copies for a member that has its own log, which ends too early. Its folder stays as it is if that fails. */
    public void catchUp(Path directory, Host host) throws IOException {
        long own = MemberLog.endIn(directory);
        LOG.log(
                System.Logger.Level.INFO,
                "member " + config.id()
                        + " was away for so long that the others have removed the log that it lacks, and"
                        + " copies their last snapshot and the log behind it");
        fill(directory, host, own);
    }

    /**
     * Copies for a member that has lost its log, and returns when it has all.
     *
     * @throws IOException if there was no leader to copy from for three minutes and ten leader timeouts, or the copy
     *                     cannot be kept
     */
    public void replace(Path directory, Host host) throws IOException {
        if (config.members().size() == 1) {
            throw new IOException("a cluster of one member has nobody to copy from: its folder is all there is");
        }
        fill(directory, host, -1);
    }

    private void fill(Path directory, Host host, long own) throws IOException {
        long patience = PATIENCE_NANOS + 10 * config.leaderTimeout().toNanos();
        CopyFetch fetch = new CopyFetch(directory, own);
        Hope hope = new Hope(host);
        while (true) {
            if (isFilled(fetch, hope)) {
                LOG.log(System.Logger.Level.INFO, "member " + config.id() + " has a copy of the log in " + directory);
                return;
            }
            if (host.nanoTime() - hope.heardNanos > patience) {
                throw new IOException(
                        "no leader has answered for " + TimeUnit.NANOSECONDS.toSeconds(patience)
                                + " s, and this member copies what it lacks from the leader. Start a majority of the"
                                + " others, then this one again; they were asked at their control ports, with the"
                                + " control token if there is one",
                        hope.failure);
            }
            host.pause(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("interrupted while the log of the leader was copied; start the member again");
            }
        }
    }

    private boolean isFilled(CopyFetch fetch, Hope hope) throws IOException {
        for (MemberAddress other : config.members().all()) {
            if (other.id() == config.id()) {
                continue;
            }
            long heard = hope.heardNanos;
            try {
                fetch.from(other, token, hope::hear);
                return true;
            } catch (CopyFetch.OwnDiskException e) {
                throw e;
            } catch (IOException e) {
                hope.failure = e;
                if (hope.heardNanos != heard) {
                    hope.hear();
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "the copy from member " + other.id() + " has ended, and begins again: " + e);
                }
            }
        }
        return false;
    }

    /** When a leader was last heard, and what was heard otherwise. */
    private static final class Hope {
        private final Host host;
        private long heardNanos;
        private @Nullable IOException failure;

        Hope(Host host) {
            this.host = host;
            this.heardNanos = host.nanoTime();
        }

        void hear() {
            heardNanos = host.nanoTime();
        }
    }
}
