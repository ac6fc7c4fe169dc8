package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedTest {
    @TempDir
    Path folder;

    @Test
    void sendsItemsAndGoesOnBehindTheLastOneThatWasSeen() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            String id;
            try (Stream<String> lines = follow(site, "")) {
                Iterator<String> events = lines.iterator();
                until(events, "event: live");
                site.post("/commands/Deposit", BankSite.deposit(7, 100));
                id = until(events, "id: ").substring(4);
                assertThat(until(events, "data: ")).contains("\"@type\":\"Changed\"", "\"amount\":100");
            }
            site.post("/commands/Deposit", BankSite.deposit(7, 1));
            site.post("/commands/Deposit", BankSite.deposit(7, 2));
            try (Stream<String> lines = follow(site, id)) {
                Iterator<String> events =
                        lines.filter(line -> line.startsWith("data: {\"@")).iterator();
                assertThat(List.of(events.next(), events.next()))
                        .satisfiesExactly(
                                one -> assertThat(one).contains("\"amount\":101"),
                                two -> assertThat(two).contains("\"amount\":103"));
            }
        }
    }

    @Test
    void beginsAnewForOneThatHasSeenAPlaceBeyondTheLog() throws Exception {
        try (BankSite site = BankSite.open(folder);
                Stream<String> lines = follow(site, "999999-0")) {
            Iterator<String> events =
                    lines.filter(line -> line.startsWith("event: ")).iterator();
            assertThat(events.next()).isEqualTo("event: snapshot");
        }
    }

    @Test
    void refusesATopicThatIsNoNumber() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            StatusTest.assertProblem(site.get("/feeds/all"), 400, "feed");
            StatusTest.assertProblem(site.send(site.request("/feeds/7").header("Last-Event-ID", "x")), 400, "feed");
        }
    }

    private static Stream<String> follow(BankSite site, String lastId) throws IOException, InterruptedException {
        HttpRequest.Builder request = site.request("/feeds/7");
        if (!lastId.isEmpty()) {
            request.header("Last-Event-ID", lastId);
        }
        HttpResponse<Stream<String>> response =
                site.client().send(request.build(), HttpResponse.BodyHandlers.ofLines());
        assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
        return response.body();
    }

    private static String until(Iterator<String> lines, String begin) {
        String line = lines.next();
        while (!line.startsWith(begin)) {
            line = lines.next();
        }
        return line;
    }
}
