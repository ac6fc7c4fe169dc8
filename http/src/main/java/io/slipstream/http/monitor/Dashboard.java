package io.slipstream.http.monitor;

import io.slipstream.core.counters.CounterValue;
import io.slipstream.http.api.Api;
import io.slipstream.http.config.MemberView;
import io.slipstream.http.text.JsonText;
import io.slipstream.http.web.EventStream;
import io.slipstream.http.web.Page;
import io.slipstream.service.host.Host;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A page that shows what goes on, and the events that keep it live. Each event is one picture of the service. Whoever
 * opens the page gets the pictures of the last minute first. Alerts and stalls are noted also while nobody looks.
 */
public final class Dashboard implements AutoCloseable {
    private static final long PERIOD_NANOS = 250_000_000;
    private static final int KEPT = 240;
    private static final Map<String, String> FILES =
            Map.of("/", "dashboard.html", "/dashboard.js", "dashboard.js", "/dashboard.css", "dashboard.css");

    private final String name;
    private final List<Object> links;
    private final Vitals vitals;
    private final Watch watch;
    private final Alerts alerts = new Alerts();
    private final Stalls stalls = new Stalls();
    private final Deque<String> kept = new ArrayDeque<>();
    private final Set<EventStream> viewers = new HashSet<>();
    private final Host.Alarm painter;

    /** Begins to take pictures of the service. */
    public Dashboard(Api api, Vitals vitals) {
        this.name = api.name();
        this.links = api.pages().stream()
                .map(page -> (Object) List.of(page.title(), page.path()))
                .toList();
        this.vitals = vitals;
        this.watch = vitals.watch();
        // None is caught up on after a pause: pictures of one moment say nothing of a rate.
        painter = Host.system().watch("slipstream-http-dashboard", PERIOD_NANOS, this::paint);
    }

    /** Returns the pages by path. */
    public Map<String, Page> pages() {
        Map<String, Page> pages = new LinkedHashMap<>();
        FILES.forEach((path, file) -> pages.put(path, Page.beside(Dashboard.class, file)));
        pages.put("/alerts.json", new Page(false, this::history));
        return pages;
    }

    /** Returns the event streams by path. */
    public Map<String, Consumer<EventStream>> live() {
        return Map.of("/live", this::join);
    }

    @Override
    public void close() {
        painter.close();
    }

    private void join(EventStream viewer) {
        synchronized (kept) {
            kept.forEach(viewer::send);
            viewers.add(viewer);
        }
        viewer.ended().thenRun(() -> {
            synchronized (kept) {
                viewers.remove(viewer);
            }
        });
    }

    private Page.Content history() {
        Map<String, Object> history = new LinkedHashMap<>();
        history.put("alerts", alerts.describe());
        history.put("stalls", stalls.describe());
        return Page.Content.json(200, JsonText.of(history).getBytes(StandardCharsets.UTF_8));
    }

    private void paint() {
        List<CounterValue> counters = watch.read();
        Signs signs = vitals.signs(Signs.byName(counters));
        alerts.look(signs);
        stalls.look(signs);
        String event = "data: " + JsonText.of(picture(counters, signs)) + "\n\n";
        List<EventStream> now;
        synchronized (kept) {
            kept.add(event);
            if (kept.size() > KEPT) {
                kept.remove();
            }
            now = List.copyOf(viewers);
        }
        now.forEach(viewer -> viewer.send(event));
    }

    private Map<String, Object> picture(List<CounterValue> values, Signs signs) {
        Map<String, Object> picture = new LinkedHashMap<>();
        picture.put("name", name);
        picture.put("links", links);
        picture.put("millis", System.currentTimeMillis());
        vitals.describe(picture);
        picture.put("members", signs.members().stream().map(Dashboard::describe).toList());
        List<Object> counters = new ArrayList<>();
        for (CounterValue each : values) {
            counters.add(List.of(each.owner(), each.label(), each.type().name(), each.value()));
        }
        picture.put("counters", counters);
        return picture;
    }

    private static Object describe(MemberView member) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("id", member.id());
        described.put("address", member.address());
        described.put("error", member.error());
        described.put("leads", member.leads());
        described.put("ready", member.ready());
        described.put("sequence", member.sequence());
        described.put("stateHash", HexFormat.of().toHexDigits(member.stateHash()));
        described.put("logBytes", member.logBytes());
        described.put("snapshots", member.snapshots());
        described.put("version", member.version());
        described.put("skips", member.skips());
        return described;
    }
}
