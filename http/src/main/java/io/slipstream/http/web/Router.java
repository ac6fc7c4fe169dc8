package io.slipstream.http.web;

import io.slipstream.http.api.Api;
import io.slipstream.http.api.ApiOperation;
import io.slipstream.http.call.Backend;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.service.typed.Operation;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Brings each request to where it is answered, after the checks that hold for all of them. */
public final class Router extends Handler.Abstract {
    private static final String FEEDS = "/feeds/";
    private static final PreEncodedHttpField NO_SNIFF = new PreEncodedHttpField("X-Content-Type-Options", "nosniff");
    private static final PreEncodedHttpField NO_REFERRER = new PreEncodedHttpField("Referrer-Policy", "no-referrer");
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
            + "data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final Api api;
    private final Access access;
    private final RateLimit rate;
    private final Operations operations;
    private final @Nullable Feeds feeds;
    private final Streams streams;
    private final Map<String, Page> pages;
    private final Map<String, Consumer<EventStream>> live;
    private final Requests requests;

    /**
     * Creates a router.
     *
     * @param pages documents by path
     * @param live  event streams by path
     */
    public Router(
            Api api,
            HttpConfig config,
            Backend backend,
            Streams streams,
            Map<String, Page> pages,
            Map<String, Consumer<EventStream>> live,
            Requests requests) {
        this.api = api;
        this.access = new Access(config);
        this.rate = new RateLimit(config.limits().ratePerSecond());
        this.operations = new Operations(backend, config.limits());
        this.feeds = api.items() == null ? null : new Feeds(api.items(), backend, streams);
        this.streams = streams;
        this.pages = Map.copyOf(pages);
        this.live = Map.copyOf(live);
        this.requests = requests;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        long begin = System.nanoTime();
        String path = Request.getPathInContext(request);
        ApiOperation operation = api.at(path);
        Request.addCompletionListener(
                request,
                _ -> requests.done(
                        operation == null ? null : operation.kind(), response.getStatus(), System.nanoTime() - begin));
        response.getHeaders().put(NO_SNIFF);
        response.getHeaders().put(NO_REFERRER);
        if (access.answersOrigin(request, response)) {
            response.setStatus(204);
            Answer.end(response, callback, null);
            return true;
        }
        Problem problem = refusal(path, operation, request);
        if (problem != null) {
            if (problem.status() == 401) {
                response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Basic realm=\"slipstream\", charset=\"UTF-8\"");
            } else if (problem.status() == 405) {
                response.getHeaders().put(HttpHeader.ALLOW, operation == null ? "GET, HEAD" : "POST");
            }
            Answer.problem(response, callback, problem);
            return true;
        }
        if (operation != null) {
            operations.handle(operation, access.owner(request), request, response, callback);
        } else {
            get(path, request, response, callback);
        }
        return true;
    }

    private @Nullable Problem refusal(String path, @Nullable ApiOperation operation, Request request) {
        Page page = pages.get(path);
        if (page == null || !page.isOpen()) {
            Problem refused = access.refusal(request, operation != null && operation.kind() == Operation.Kind.COMMAND);
            if (refused != null) {
                return refused;
            }
        }
        boolean isFeed = feeds != null && path.startsWith(FEEDS);
        if (operation == null && page == null && !isFeed && !live.containsKey(path)) {
            return Problem.of(
                    404,
                    "unknown",
                    "there is nothing at " + path + "; " + api.name() + " has "
                            + api.operations().stream().map(ApiOperation::path).collect(Collectors.joining(", ")));
        }
        boolean isGet = HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod());
        if (operation == null ? !isGet : !HttpMethod.POST.is(request.getMethod())) {
            return Problem.of(405, "method", "use " + (operation == null ? "GET" : "POST"));
        }
        long waitNanos = operation == null ? 0 : rate.take(access.client(request), System.nanoTime());
        return waitNanos == 0
                ? null
                : new Problem(429, "rate", "this client sends more requests a second than it may", null, waitNanos);
    }

    private void get(String path, Request request, Response response, Callback callback) {
        Page page = pages.get(path);
        Consumer<EventStream> source = live.get(path);
        if (page != null) {
            if (page.varies()) {
                response.getHeaders().put(HttpHeader.VARY, HttpHeader.ACCEPT.asString());
            }
            Page.Content content = page.content().apply(request.getHeaders().get(HttpHeader.ACCEPT));
            response.setStatus(content.status());
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, content.mediaType());
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.bytes().length);
            response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
            if (content.mediaType().startsWith("text/html")) {
                response.getHeaders().put("Content-Security-Policy", POLICY);
            }
            boolean head = HttpMethod.HEAD.is(request.getMethod());
            Answer.end(response, callback, head ? null : content.bytes());
        } else if (source != null) {
            EventStream stream = streams.open(request, response, callback);
            if (stream != null) {
                source.accept(stream);
            }
        } else if (feeds != null) {
            feeds.handle(path.substring(FEEDS.length()), request, response, callback);
        }
    }
}
