package io.slipstream.http.web;

import io.slipstream.data.DecodeException;
import io.slipstream.data.EncodeException;
import io.slipstream.http.call.RefusedException;
import io.slipstream.http.call.ReusedKeyException;
import io.slipstream.http.text.JsonText;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ConnectionLostException;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.Busy;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Why a request is not answered with what was asked for, as RFC 9457 writes it.
 *
 * @param status          of HTTP
 * @param kind            short name; the type is {@code urn:slipstream:} with it
 * @param detail          what was wrong, and what to do; of more than 1,000 characters the rest is left out
 * @param field           of the JSON, such as {@code Transfer.amount}; null if it is not about one
 * @param retryAfterNanos when to come back; 0 if that is of no use
 */
public record Problem(
        int status, String kind, String detail, @Nullable String field, long retryAfterNanos) {
    /** The media type. */
    public static final String MEDIA_TYPE = "application/problem+json";

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int MOST_CHARS = 1_000;

    /** Cuts what is long, since it repeats what a client has sent: an error must not be larger than its cause. */
    public Problem {
        detail = cut(detail);
        field = field == null ? null : cut(field);
    }

    private static String cut(String text) {
        if (text.length() <= MOST_CHARS) {
            return text;
        }
        int end = MOST_CHARS - (Character.isHighSurrogate(text.charAt(MOST_CHARS - 1)) ? 1 : 0);
        return text.substring(0, end) + "\u2026";
    }

    /** A problem that is neither about a field nor gone soon. */
    public static Problem of(int status, String kind, String detail) {
        return new Problem(status, kind, detail, null, 0);
    }

    /** What is wrong with the body of a request. */
    public static Problem ofBody(RuntimeException why) {
        String detail = why.getMessage() == null ? why.toString() : why.getMessage();
        return new Problem(
                400,
                "invalid",
                detail,
                switch (why) {
                    case DecodeException e -> e.field();
                    case EncodeException e -> null;
                    default -> null;
                },
                0);
    }

    /** What has kept the service from answering. */
    public static Problem ofFailure(Throwable why) {
        return switch (why) {
            case CompletionException e when e.getCause() != null -> ofFailure(e.getCause());
            case RefusedException e
            when e.isForWantOfService() ->
                new Problem(503, "unavailable", String.valueOf(e.getMessage()), null, e.retryAfterNanos());
            case RefusedException e -> busy(Busy.Reason.PENDING, String.valueOf(e.getMessage()), e.retryAfterNanos());
            case BusyException e -> busy(e.reason(), e.reason().text(), e.retryAfterNanos());
            case ReusedKeyException e -> of(422, "idempotency-key", String.valueOf(e.getMessage()));
            case ServiceException e -> ofFailure(e);
            case TimeoutException e -> of(504, "no-answer", "the service has not answered in time");
            case IllegalArgumentException e -> of(413, "too-long", String.valueOf(e.getMessage()));
            default -> of(500, "failed", String.valueOf(why));
        };
    }

    /** What has kept the service from answering a command, which it may have applied, or may yet. */
    static Problem ofCommand(Throwable why, boolean hasKey) {
        return switch (why) {
            case CompletionException e when e.getCause() != null -> ofCommand(e.getCause(), hasKey);
            case TimeoutException e -> outcomeUnknown("the service has not answered in time", hasKey);
            case ConnectionLostException e -> outcomeUnknown(String.valueOf(e.getMessage()), hasKey);
            default -> ofFailure(why);
        };
    }

    private static Problem outcomeUnknown(String why, boolean hasKey) {
        return of(
                504,
                "outcome-unknown",
                why + ". The outcome is unknown: the command may have been applied, or may still be. "
                        + (hasKey
                                ? "Send it again with the same idempotency key"
                                : "Sent again, it may be applied twice; only a command that was sent with an "
                                        + "Idempotency-Key can be sent again without that"));
    }

    /** Returns the value of {@code Retry-After}: whole seconds, at least one. */
    public long retryAfterSeconds() {
        return Math.max(1, (retryAfterNanos + SECOND_NANOS - 1) / SECOND_NANOS);
    }

    /** Returns it as a map, in the order of the standard. */
    public Map<String, Object> toMap() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", "urn:slipstream:" + kind);
        members.put("title", title());
        members.put("status", status);
        members.put("detail", detail);
        if (field != null) {
            members.put("field", field);
        }
        if (retryAfterNanos > 0) {
            members.put("retryAfterMillis", Math.max(1, retryAfterNanos / 1_000_000));
        }
        return members;
    }

    byte[] toJson() {
        return JsonText.of(toMap()).getBytes(StandardCharsets.UTF_8);
    }

    private static Problem ofFailure(ServiceException e) {
        String detail = String.valueOf(e.getMessage());
        return switch (e.code()) {
            case REJECTED -> of(409, "rejected", detail);
            case ALREADY_APPLIED -> of(409, "already-applied", detail);
            case TOO_OLD -> of(409, "too-old", detail);
            case TOO_LONG -> of(413, "too-long", detail);
            // It is the gateway that has logged in, and not the client.
            case UNAUTHENTICATED ->
                new Problem(
                        503, "unavailable", "the service does not let this gateway in: " + detail, null, SECOND_NANOS);
            case FORBIDDEN -> of(403, "forbidden", detail);
            case LOGIC_FAILED, MALFORMED, UNKNOWN_TYPE, UNSUPPORTED_VERSION -> of(500, "failed", detail);
            default -> new Problem(503, "unavailable", detail, null, SECOND_NANOS);
        };
    }

    private static Problem busy(Busy.Reason reason, String detail, long retryAfterNanos) {
        return new Problem(
                reason == Busy.Reason.CLIENT_LIMIT ? 429 : 503, "busy", detail, null, Math.max(1, retryAfterNanos));
    }

    private String title() {
        return switch (status) {
            case 400 -> "The request cannot be understood";
            case 401 -> "A token is needed";
            case 403 -> "Not allowed";
            case 404 -> "There is no such thing";
            case 405 -> "Not with this method";
            case 408 -> "The request took too long to arrive";
            case 409 -> "The service did not accept it";
            case 413 -> "Too long";
            case 415 -> "JSON is needed";
            case 421 -> "Not the host that was asked for";
            case 422 -> "The key belongs to another command";
            case 429 -> "This client asks for too much";
            case 431 -> "The header is too long";
            case 501 -> "Not in this form";
            case 503 -> kind.equals("busy") ? "Busy" : "Not available";
            case 504 -> "No answer";
            default -> "Failed";
        };
    }
}
