package io.slipstream.http.web;

import java.util.LinkedHashMap;
import java.util.Map;

/** A bucket of tokens for each client: it fills at the rate and holds what one second fills. Any thread. */
final class RateLimit {
    private static final int CLIENTS = 10_000;
    private static final double SECOND_NANOS = 1e9;

    private static final class Bucket {
        private double tokens;
        private long filledNanos;
    }

    private final int ratePerSecond;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > CLIENTS;
        }
    };

    RateLimit(int ratePerSecond) {
        this.ratePerSecond = ratePerSecond;
    }

    /** Takes a token; returns 0, or after how many nanoseconds there is one. */
    long take(String client, long nowNanos) {
        if (ratePerSecond == 0) {
            return 0;
        }
        synchronized (buckets) {
            Bucket bucket = buckets.get(client);
            if (bucket == null) {
                bucket = new Bucket();
                bucket.tokens = ratePerSecond;
                bucket.filledNanos = nowNanos;
                buckets.put(client, bucket);
            }
            bucket.tokens = Math.min(
                    ratePerSecond, bucket.tokens + (nowNanos - bucket.filledNanos) * ratePerSecond / SECOND_NANOS);
            bucket.filledNanos = nowNanos;
            if (bucket.tokens < 1) {
                return (long) Math.ceil((1 - bucket.tokens) * SECOND_NANOS / ratePerSecond);
            }
            bucket.tokens--;
            return 0;
        }
    }
}
