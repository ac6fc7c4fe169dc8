package io.slipstream.http.openapi;

import io.slipstream.http.api.Api;
import io.slipstream.http.api.ApiOperation;
import io.slipstream.http.text.JsonText;
import io.slipstream.service.typed.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes an {@link Api} as OpenAPI 3.1. */
public final class OpenApi {
    private static final Map<String, String> PROBLEMS = new LinkedHashMap<>();

    static {
        PROBLEMS.put("400", "The body is none of this type; the problem names the field.");
        PROBLEMS.put("401", "There is no valid token.");
        PROBLEMS.put("403", "The token may read only.");
        PROBLEMS.put("408", "The body did not arrive in time.");
        PROBLEMS.put("409", "The service did not accept it, or no longer keeps the reply to that idempotency key.");
        PROBLEMS.put("413", "Body or batch is too long.");
        PROBLEMS.put("415", "The body is neither JSON nor lines of JSON, is compressed, or is not in UTF-8.");
        PROBLEMS.put("421", "Without tokens the gateway answers only to its own names.");
        PROBLEMS.put("422", "The idempotency key was used before for a command of another type.");
        PROBLEMS.put("429", "This client asks for too much; Retry-After says when to come back.");
        PROBLEMS.put("500", "The service has failed at this request.");
        PROBLEMS.put("501", "The body has a transfer encoding other than chunked.");
        PROBLEMS.put("503", "The service is busy; Retry-After says when to come back.");
        PROBLEMS.put("504", "No answer in time; whether a command was applied is unknown.");
    }

    private OpenApi() {}

    /**
     * Returns the description as JSON.
     *
     * @param asksForTokens whether the gateway lets nobody in without one
     */
    public static String of(Api api, boolean asksForTokens) {
        Map<String, Object> schemas = new LinkedHashMap<>();
        schemas.put("Problem", problem());
        Map<String, Object> paths = new LinkedHashMap<>();
        for (ApiOperation operation : api.operations()) {
            JsonSchemas.addAll(operation.request(), schemas);
            JsonSchemas.addAll(operation.reply(), schemas);
            paths.put(operation.path(), Map.of("post", post(operation)));
        }
        if (api.items() != null) {
            paths.put("/feeds/{topic}", Map.of("get", feed()));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", api.name(), "version", "1"));
        document.put("paths", paths);
        Map<String, Object> components = new LinkedHashMap<>();
        components.put("schemas", schemas);
        if (asksForTokens) {
            Map<String, Object> schemes = new LinkedHashMap<>();
            schemes.put("bearer", Map.of("type", "http", "scheme", "bearer"));
            schemes.put(
                    "basic",
                    Map.of("type", "http", "scheme", "basic", "description", "Any name, and the token as password."));
            components.put("securitySchemes", schemes);
            document.put("security", List.of(Map.of("bearer", List.of()), Map.of("basic", List.of())));
        }
        document.put("components", components);
        return JsonText.of(document);
    }

    private static Map<String, Object> post(ApiOperation operation) {
        String request = operation.request().all().getFirst().name();
        String reply = operation.reply().all().getFirst().name();
        Map<String, Object> post = new LinkedHashMap<>();
        post.put("operationId", operation.name());
        post.put("tags", List.of(operation.kind() == Operation.Kind.COMMAND ? "commands" : "queries"));
        if (operation.kind() == Operation.Kind.COMMAND) {
            post.put(
                    "parameters",
                    List.of(parameter(
                            "Idempotency-Key",
                            "header",
                            "SESSION/NUMBER: a command that is "
                                    + "repeated with its key is applied once and gets the same reply.",
                            false,
                            Map.of("type", "string", "pattern", "^[A-Za-z0-9._-]{1,64}/[1-9][0-9]{0,17}$"))));
        }
        post.put(
                "requestBody",
                Map.of(
                        "required",
                        true,
                        "content",
                        Map.of(
                                "application/json", Map.of("schema", JsonSchemas.reference(request)),
                                "application/x-ndjson", lines("One " + request + " in each line."))));
        Map<String, Object> responses = new LinkedHashMap<>();
        responses.put(
                "200",
                Map.of(
                        "description",
                        "Done, and as durable as the service is set up to make it.",
                        "content",
                        Map.of(
                                "application/json",
                                Map.of("schema", JsonSchemas.reference(reply)),
                                "application/x-ndjson",
                                lines("In each line a status, and the reply or a problem."))));
        PROBLEMS.forEach((status, what) -> responses.put(status, problem(what)));
        post.put("responses", responses);
        return post;
    }

    private static Map<String, Object> lines(String what) {
        return Map.of("schema", Map.of("type", "string", "description", what));
    }

    private static Map<String, Object> feed() {
        List<Object> parameters = new ArrayList<>();
        parameters.add(parameter(
                "topic",
                "path",
                "Its number.",
                true,
                Map.of("type", "integer", "format", "int64", "minimum", Long.MIN_VALUE, "maximum", Long.MAX_VALUE)));
        parameters.add(parameter(
                "Last-Event-ID",
                "header",
                "Place of the last item that was seen.",
                false,
                Map.of("type", "string", "pattern", "^([0-9]{1,18}-[0-9]{1,9})?$")));
        Map<String, Object> responses = new LinkedHashMap<>();
        responses.put(
                "200",
                Map.of(
                        "description",
                        "Server-sent events: snapshot, state, live, item.",
                        "content",
                        Map.of("text/event-stream", Map.of())));
        for (String status : List.of("400", "401", "421", "503")) {
            responses.put(
                    status,
                    problem(
                            status.equals("400")
                                    ? "The topic or the place is no number."
                                    : String.valueOf(PROBLEMS.get(status))));
        }
        return Map.of(
                "operationId", "feed", "tags", List.of("feeds"), "parameters", parameters, "responses", responses);
    }

    private static Map<String, Object> problem(String what) {
        return Map.of(
                "description",
                what,
                "content",
                Map.of("application/problem+json", Map.of("schema", JsonSchemas.reference("Problem"))));
    }

    private static Map<String, Object> parameter(
            String name, String in, String what, boolean required, Map<String, Object> schema) {
        return Map.of("name", name, "in", in, "description", what, "required", required, "schema", schema);
    }

    private static Map<String, Object> problem() {
        Map<String, Object> text = Map.of("type", "string");
        return Map.of(
                "type",
                "object",
                "required",
                List.of("type", "title", "status", "detail"),
                "properties",
                Map.of(
                        "type",
                        text,
                        "title",
                        text,
                        "detail",
                        text,
                        "field",
                        text,
                        "status",
                        Map.of("type", "integer"),
                        "retryAfterMillis",
                        Map.of("type", "integer")));
    }
}
