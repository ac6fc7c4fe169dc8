package io.slipstream.replica.primary;

import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.Patience;
import io.slipstream.replica.wire.Token;
import io.slipstream.service.host.Host;
import io.slipstream.service.security.Tls;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a journal is pushed, and how. A value: each {@code with} method returns a changed copy. */
public final class PushConfig implements Cloneable {
    private final Path folder;
    private final InetSocketAddress backup;
    private final String token;
    private PushLevel level = PushLevel.ASYNC;
    private long bytesPerSecond;
    private long alertRecords = 1_000_000;
    private Duration alertAfter = Duration.ofSeconds(10);
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration silence = Duration.ofSeconds(10);
    private boolean alone;
    private Host host = Host.system();
    private @Nullable Tls tls;
    private @Nullable Counters counters;
    private PushEvents events = PushEvents.logged();

    private PushConfig(Path folder, InetSocketAddress backup, String token) {
        this.folder = Objects.requireNonNull(folder, "folder");
        this.backup = Objects.requireNonNull(backup, "backup");
        this.token = Token.requireLong(Objects.requireNonNull(token, "token"));
    }

    /**
     * Returns the defaults: asynchronous, no bandwidth limit, no TLS.
     *
     * @param folder of the journal
     * @param token  that both sites know, of at least eight characters
     */
    public static PushConfig of(Path folder, InetSocketAddress backup, String token) {
        return new PushConfig(folder, backup, token);
    }

    /** Returns a copy with another level. */
    public PushConfig withLevel(PushLevel newLevel) {
        Objects.requireNonNull(newLevel, "level");
        return with(copy -> copy.level = newLevel);
    }

    /** Returns a copy that sends at most so many bytes a second; 0 for no limit. */
    public PushConfig withBandwidth(long newBytesPerSecond) {
        if (newBytesPerSecond < 0) {
            throw new IllegalArgumentException("the bandwidth is 0 or more bytes a second, not " + newBytesPerSecond);
        }
        return with(copy -> copy.bytesPerSecond = newBytesPerSecond);
    }

    /**
     * Returns a copy that alerts when the backup was more than so many records behind, or away, for so long; at once if
     * that is zero.
     */
    public PushConfig withAlert(long records, Duration after) {
        Objects.requireNonNull(after, "after");
        if (after.isNegative()) {
            throw new IllegalArgumentException("an alert comes after some time, not after " + after);
        }
        return with(copy -> {
            copy.alertRecords = records;
            copy.alertAfter = Patience.countable(after);
        });
    }

    /**
     * Returns a copy that waits so long for a connection to the backup, and as long for each of the answers by which
     * the two agree on where to go on; 10 s if unset. From then on {@link #withSilence} counts.
     */
    public PushConfig withConnectTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        requireMoment("the connect timeout", timeout);
        return with(copy -> copy.connectTimeout = timeout);
    }

    /**
     * Returns a copy that takes the backup for gone when it has said nothing for so long, once it has agreed to take
     * records; 10 s if unset.
     */
    public PushConfig withSilence(Duration newSilence) {
        Objects.requireNonNull(newSilence, "newSilence");
        requireMoment("silence", newSilence);
        return with(copy -> copy.silence = newSilence);
    }

    private static void requireMoment(String what, Duration time) {
        long millis = Patience.countable(time).toMillis();
        if (millis < 1_000 || millis > 600_000) {
            throw new IllegalArgumentException(what + " lasts from 1 second to 10 minutes, not " + time);
        }
    }

    /**
     * Returns a copy that serves even if the backup cannot be asked at the start whether it was promoted. Whoever says
     * so has made sure that it was not.
     */
    public PushConfig withStartAlone(boolean allowed) {
        return with(copy -> copy.alone = allowed);
    }

    /** Returns a copy that runs on another machine: its clock, sockets, threads and disk; that of the service. */
    public PushConfig withHost(Host newHost) {
        Objects.requireNonNull(newHost, "host");
        return with(copy -> copy.host = newHost);
    }

    /** Returns a copy that speaks TLS, that of a client. */
    public PushConfig withTls(Tls newTls) {
        Objects.requireNonNull(newTls, "tls");
        return with(copy -> copy.tls = newTls);
    }

    /**
     * Returns a copy that shows other processes how it goes.
     *
     * @param shown with at least {@value PushCounters#PLACES} free places; whoever made them closes them, after the
     *              service
     */
    public PushConfig withCounters(@Nullable Counters shown) {
        return with(copy -> copy.counters = shown);
    }

    /** Returns a copy that tells somebody else how it goes. */
    public PushConfig withEvents(PushEvents listener) {
        Objects.requireNonNull(listener, "listener");
        return with(copy -> copy.events = listener);
    }

    Path folder() {
        return folder;
    }

    InetSocketAddress backup() {
        return backup;
    }

    String token() {
        return token;
    }

    PushLevel level() {
        return level;
    }

    long bytesPerSecond() {
        return bytesPerSecond;
    }

    long alertRecords() {
        return alertRecords;
    }

    Duration alertAfter() {
        return alertAfter;
    }

    int connectTimeoutMillis() {
        return (int) connectTimeout.toMillis();
    }

    int silenceMillis() {
        return (int) silence.toMillis();
    }

    @Nullable
    Counters counters() {
        return counters;
    }

    boolean mayStartAlone() {
        return alone;
    }

    Host host() {
        return host;
    }

    @Nullable
    Tls tls() {
        return tls;
    }

    PushEvents events() {
        return events;
    }

    private PushConfig with(Consumer<PushConfig> change) {
        try {
            PushConfig copy = (PushConfig) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
