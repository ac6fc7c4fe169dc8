package io.slipstream.http.web;

import io.slipstream.http.api.Api;
import io.slipstream.http.call.Backend;
import io.slipstream.http.call.RefusedException;
import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Topics as server-sent events: {@code snapshot} with the state that was, then each {@code item} with its place as id,
 * and {@code live} when all that was missed has been sent.
 */
final class Feeds {
    private static final Pattern PLACE = Pattern.compile("([0-9]{1,18})-([0-9]{1,9})");

    private final Api.ItemText items;
    private final Backend backend;
    private final Streams streams;

    Feeds(Api.ItemText items, Backend backend, Streams streams) {
        this.items = items;
        this.backend = backend;
        this.streams = streams;
    }

    void handle(String topicText, Request request, Response response, Callback callback) {
        long topic;
        try {
            topic = Long.parseLong(topicText);
        } catch (NumberFormatException e) {
            refuse(response, callback, "a topic is a whole number, not '" + topicText + "'");
            return;
        }
        long sequence = 0;
        int index = 0;
        String last = request.getHeaders().get("Last-Event-ID");
        if (last != null && !last.isEmpty()) {
            Matcher place = PLACE.matcher(last);
            if (!place.matches()) {
                refuse(response, callback, "Last-Event-ID is SEQUENCE-INDEX, not '" + last + "'");
                return;
            }
            sequence = Long.parseLong(place.group(1));
            index = Integer.parseInt(place.group(2));
        }
        EventStream stream = streams.open(request, response, callback);
        if (stream != null) {
            follow(stream, topic, sequence, index);
        }
    }

    private static void refuse(Response response, Callback callback, String why) {
        Answer.problem(response, callback, Problem.of(400, "feed", why));
    }

    private void follow(EventStream stream, long topic, long sequence, int index) {
        try {
            ServiceClient client = backend.newClient();
            stream.ended().thenRunAsync(client::close, Thread::startVirtualThread);
            client.subscribe(topic, sequence, index, new ToStream(stream, items));
        } catch (IOException | ServiceException | RefusedException e) {
            stream.finish();
        }
    }

    private record ToStream(EventStream stream, Api.ItemText items) implements FeedHandler {
        @Override
        public void onSnapshot() {
            stream.send("event: snapshot\ndata: {}\n\n");
        }

        @Override
        public void onSnapshotItem(MemorySegment memory, long offset, int length) {
            stream.send("event: state\ndata: " + items.toJson(memory, offset, length) + "\n\n");
        }

        @Override
        public void onLive() {
            stream.send("event: live\ndata: {}\n\n");
        }

        @Override
        public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {
            stream.send("id: " + sequence + "-" + index + "\nevent: item\ndata: " + items.toJson(memory, offset, length)
                    + "\n\n");
        }

        @Override
        public void onEnd(ServiceException why) {
            stream.finish();
        }
    }
}
