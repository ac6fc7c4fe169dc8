package io.slipstream.http.web;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** In what form a body comes. What is not read as the header says is refused, since it would be taken for another. */
final class RequestBody {
    static final String JSON = "application/json";
    static final String LINES = "application/x-ndjson";

    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^;\"]*)", Pattern.CASE_INSENSITIVE);

    private RequestBody() {}

    /** Returns why a body of that form is not read, or null. */
    static @Nullable Problem refusal(HttpFields headers) {
        String transfer = otherThan("chunked", headers, HttpHeader.TRANSFER_ENCODING);
        if (transfer != null) {
            return Problem.of(501, "transfer-encoding", "send it chunked or with its length, not " + transfer);
        }
        String encoding = otherThan("identity", headers, HttpHeader.CONTENT_ENCODING);
        if (encoding != null) {
            return Problem.of(415, "content-encoding", "send it as it is, without Content-Encoding: " + encoding);
        }
        List<HttpField> types = headers.getFields(HttpHeader.CONTENT_TYPE);
        if (types.size() > 1) {
            return Problem.of(400, "media-type", "send one Content-Type, not " + types.size());
        }
        String type = mediaType(headers);
        if (!type.equals(JSON) && !type.equals(LINES)) {
            return Problem.of(
                    415,
                    "media-type",
                    "send " + JSON + ", or " + LINES + " for many of them, not " + (type.isEmpty() ? "nothing" : type));
        }
        List<String> charsets = CHARSET.matcher(types.getFirst().getValue())
                .results()
                .map(result -> result.group(1).strip())
                .filter(charset -> !charset.equalsIgnoreCase("utf-8"))
                .toList();
        return charsets.isEmpty()
                ? null
                : Problem.of(415, "charset", "JSON is sent in UTF-8, not in " + charsets.getFirst());
    }

    /** Returns the first value of a header, which may come several times, that is not the one that is read; or null. */
    private static @Nullable String otherThan(String read, HttpFields headers, HttpHeader header) {
        for (HttpField each : headers.getFields(header)) {
            String value = each.getValue();
            if (value != null && !value.equalsIgnoreCase(read)) {
                return value;
            }
        }
        return null;
    }

    /** Returns the type, in small letters and without parameters; empty if none is given. */
    static String mediaType(HttpFields headers) {
        String type = headers.get(HttpHeader.CONTENT_TYPE);
        if (type == null) {
            return "";
        }
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).trim().toLowerCase(Locale.ROOT);
    }
}
