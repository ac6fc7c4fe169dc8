package io.slipstream.http.config;

import io.slipstream.core.thread.Patience;
import java.time.Duration;
import java.util.Objects;

/**
 * What one client, and all of them together, may ask of a gateway.
 *
 * @param bodyBytes    longest body of a request
 * @param headerBytes  longest header of a request
 * @param batchLines   most commands of one batch
 * @param pending      requests that wait for the service at once; more are answered 503
 * @param pendingBytes bytes of the requests that wait for the service; more are answered 503
 * @param sessions     sessions of idempotency keys with a connection to the service at once
 * @param streams      event streams at once
 * @param ratePerSecond requests a second of one client (token or address); 0 for no limit; more are answered 429
 * @param idle         after which a silent connection is closed
 * @param requestTime  within which a request has to arrive
 * @param answerTime   within which the service has to answer; 504 afterwards
 */
public record HttpLimits(
        int bodyBytes,
        int headerBytes,
        int batchLines,
        int pending,
        int pendingBytes,
        int sessions,
        int streams,
        int ratePerSecond,
        Duration idle,
        Duration requestTime,
        Duration answerTime) {
    /** The limits unless others are given. */
    public static final HttpLimits DEFAULT = new HttpLimits(
            1 << 20,
            8 << 10,
            1_000,
            4_096,
            16 << 20,
            256,
            64,
            0,
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10));

    /** Checks that each is at least 1, or 0 where that means none. */
    public HttpLimits {
        idle = Patience.countable(idle);
        requestTime = Patience.countable(requestTime);
        answerTime = Patience.countable(answerTime);
        if (bodyBytes < 1
                || headerBytes < 256
                || batchLines < 1
                || pending < 1
                || pendingBytes < 1
                || sessions < 1
                || streams < 1
                || ratePerSecond < 0
                || !idle.isPositive()
                || !requestTime.isPositive()
                || !answerTime.isPositive()) {
            throw new IllegalArgumentException("limits are positive, and a header has at least 256 bytes; these are "
                    + "body " + bodyBytes + ", header " + headerBytes + ", batch " + batchLines + ", pending " + pending
                    + ", pending bytes " + pendingBytes + ", sessions " + sessions + ", streams " + streams + ", rate "
                    + ratePerSecond + ", idle " + idle
                    + ", request " + requestTime + ", answer " + answerTime);
        }
    }

    /** Returns the same with another rate. */
    public HttpLimits withRatePerSecond(int rate) {
        return new HttpLimits(
                bodyBytes,
                headerBytes,
                batchLines,
                pending,
                pendingBytes,
                sessions,
                streams,
                rate,
                idle,
                requestTime,
                answerTime);
    }

    /** Returns the same with another longest body. */
    public HttpLimits withBodyBytes(int bytes) {
        return new HttpLimits(
                bytes,
                headerBytes,
                batchLines,
                pending,
                pendingBytes,
                sessions,
                streams,
                ratePerSecond,
                idle,
                requestTime,
                answerTime);
    }

    /** Returns the same with another most commands of a batch. */
    public HttpLimits withBatchLines(int lines) {
        return new HttpLimits(
                bodyBytes,
                headerBytes,
                lines,
                pending,
                pendingBytes,
                sessions,
                streams,
                ratePerSecond,
                idle,
                requestTime,
                answerTime);
    }

    /** Returns the same with another number of requests that may wait. */
    public HttpLimits withPending(int requests) {
        return new HttpLimits(
                bodyBytes,
                headerBytes,
                batchLines,
                requests,
                pendingBytes,
                sessions,
                streams,
                ratePerSecond,
                idle,
                requestTime,
                answerTime);
    }

    /** Returns the same with another number of bytes that may wait. */
    public HttpLimits withPendingBytes(int bytes) {
        return new HttpLimits(
                bodyBytes,
                headerBytes,
                batchLines,
                pending,
                bytes,
                sessions,
                streams,
                ratePerSecond,
                idle,
                requestTime,
                answerTime);
    }

    /** Returns the same with another number of sessions that may have a connection. */
    public HttpLimits withSessions(int most) {
        return new HttpLimits(
                bodyBytes,
                headerBytes,
                batchLines,
                pending,
                pendingBytes,
                most,
                streams,
                ratePerSecond,
                idle,
                requestTime,
                answerTime);
    }

    /** Returns the same with another number of event streams. */
    public HttpLimits withStreams(int most) {
        return new HttpLimits(
                bodyBytes,
                headerBytes,
                batchLines,
                pending,
                pendingBytes,
                sessions,
                most,
                ratePerSecond,
                idle,
                requestTime,
                answerTime);
    }

    /** Returns the same with other times. */
    public HttpLimits withTimes(Duration newIdle, Duration newRequestTime, Duration newAnswerTime) {
        Objects.requireNonNull(newIdle, "newIdle");
        Objects.requireNonNull(newRequestTime, "newRequestTime");
        Objects.requireNonNull(newAnswerTime, "newAnswerTime");
        return new HttpLimits(
                bodyBytes,
                headerBytes,
                batchLines,
                pending,
                pendingBytes,
                sessions,
                streams,
                ratePerSecond,
                newIdle,
                newRequestTime,
                newAnswerTime);
    }
}
