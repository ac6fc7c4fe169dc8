package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

import io.slipstream.core.counters.Counters;
import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.config.MemberView;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.FreezingProxy;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;

/** The dashboard in a real browser; skipped where Chromium and its driver are not installed. */
class BrowserTest {
    private static final File BROWSER = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");
    private static final Dimension DESKTOP = new Dimension(1280, 900);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Dimension PHONE = new Dimension(500, 900);

    private static ChromeDriver browser;

    private final CountDownLatch gate = new CountDownLatch(1);

    @TempDir
    private Path folder;

    @BeforeAll
    static void openBrowser() {
        Assumptions.assumeTrue(
                BROWSER.canExecute() && DRIVER.canExecute(),
                "chromium and chromium-driver are not installed: the dashboard is not tested in a browser");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER);
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        browser = new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).build(), options);
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.quit();
        }
    }

    @BeforeEach
    void asOnADesktop() {
        browser.manage().window().setSize(DESKTOP);
    }

    @Test
    void figuresMoveUnderLoadAndTheStageOfEachIsSeen() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT);
                TypedClient client = TypedClient.connect(Bank.CONTRACT, "localhost", service.port())) {
            open(gateway);
            await(() -> text("state").equals("ready"));
            long before = entries();
            await(() -> {
                client.call(new Bank.Deposit(7, 1, ""));
                return entries() > before + 10;
            });
            await(() ->
                    !browser.findElements(By.cssSelector("#response path.line")).isEmpty());
            // In one step, since the page draws it anew all the time.
            assertThat(browser.executeScript("return document.querySelector('#pipeline svg').ariaLabel"))
                    .asString()
                    .containsPattern("gateway: [\\d,]+ of [\\d,]+ wait, \\d+ % full; input ring:")
                    .contains("journal:", "logic:", "output ring:");
            assertThat(text("whatif")).isNotBlank();
        }
    }

    @Test
    void saysThatTheServiceIsGoneAndFollowsItWhenItIsBack() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128)) {
            Service first = service(0, counters);
            try (HttpGateway gateway = gateway(first, counters, HttpLimits.DEFAULT)) {
                open(gateway);
                await(() -> text("state").equals("ready"));
                first.close();
                await(() -> text("state").equals("does not answer"));
                assertThat(text("alerts")).contains("The service does not answer");
                await(() -> text("history").contains("lasts critical The service does not answer"));
                // It is the server that keeps it.
                open(gateway);
                await(() -> text("history").contains("critical The service does not answer"));
                try (Service _ = service(first.port(), counters)) {
                    await(() -> text("state").equals("ready"));
                }
            } finally {
                first.close();
            }
        }
    }

    @Test
    void doesNotCallAGatewayReadyThatHasGoneOrIsSilent() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters)) {
            try (HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT);
                    FreezingProxy network = new FreezingProxy(gateway.port())) {
                browser.get("http://localhost:" + network.port() + "/");
                await(() -> text("state").equals("ready"));
                network.freeze();
                await(() -> text("state").equals("the gateway does not answer"));
                assertThat(text("alerts")).contains("The gateway does not answer");
                open(gateway);
                await(() -> text("state").equals("ready"));
            }
            await(() -> text("state").equals("the gateway does not answer"));
            browser.executeScript("dispatchEvent(new Event('resize'))");
            assertThat(text("state")).isEqualTo("the gateway does not answer");
        }
    }

    @Test
    void followsAGatewayAgainThatHadNoStreamLeft() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT.withStreams(1));
                HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<InputStream> other = client.send(
                    HttpRequest.newBuilder(URI.create(address(gateway) + "live"))
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            open(gateway);
            await(() -> text("state").equals("the gateway does not answer"));
            other.body().close();
            await(() -> text("state").equals("ready"));
        }
    }

    @Test
    void showsEachMemberOfAClusterInAColumn() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT)) {
            open(gateway);
            await(() -> text("state").equals("ready"));
            assertThat(browser.findElement(By.id("members")).isDisplayed()).isFalse();
            gateway.showMembers(() -> List.of(
                    new MemberView(0, "a:9006", "", true, true, 1_000, 0xAL, 4_096, 2, 1, "-"),
                    new MemberView(1, "b:9006", "", false, false, 990, 0xBL, 4_096, 1, 1, "17"),
                    MemberView.silent(2, "c:9006", "it does not run")));
            await(() -> text("members").contains("member 2"));
            assertThat(text("members").lines())
                    .contains(
                            "member 0 member 1 member 2",
                            "role leader not ready no answer",
                            "last entry 1,000 990 –",
                            "entries behind 0 10 –",
                            "hash of the state 000000000000000a 000000000000000b –",
                            "passes over nothing 17 –");
            await(() -> text("history").contains("Member 2 at c:9006 does not answer."));
            browser.manage().window().setSize(PHONE);
            await(() -> Boolean.TRUE.equals(browser.executeScript(
                    "return document.documentElement.scrollWidth <= document.documentElement.clientWidth")));
        }
    }

    @Test
    void doesNotTakeItsOwnProbesForCommands() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT)) {
            open(gateway);
            await(() -> Boolean.TRUE.equals(
                    browser.executeScript("return history.length > 20 && probesOf(0, history.length - 1).length > 9 &&"
                            + " document.querySelector('#tiles strong').textContent === '0' &&"
                            + " document.querySelector('#pipeline svg').ariaLabel.endsWith('replies: 0 a"
                            + " second')")));
        }
    }

    @Test
    void drawsNoLineWhereNothingWasHeard() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT)) {
            open(gateway);
            await(() -> !browser.findElements(By.cssSelector("#throughput path.line"))
                    .isEmpty());
            Object pieces = browser.executeScript("""
                const newest = history[history.length - 1].millis;
                const points = [20000, 19000, 2000, 1000].map(ago => [newest - ago, 1]);
                const place = document.createElement('div');
                chart(place, [{colour: 0, points}], {text: short, label: ''});
                return place.querySelector('path.line').getAttribute('d').split('M').length - 1;
                """);
            assertThat(pieces).isEqualTo(2L);
        }
    }

    @Test
    void tellsOfOverload() throws Exception {
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT.withPending(4));
                HttpClient client = HttpClient.newHttpClient()) {
            open(gateway);
            await(() -> text("state").equals("ready"));
            for (int i = 0; i < 4; i++) {
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(address(gateway) + "commands/Deposit"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(BankSite.deposit(7, 1)))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
            }
            await(() -> text("alerts").contains("HTTP requests wait for the service"));
            gate.countDown();
        } finally {
            gate.countDown();
        }
    }

    @Test
    void fitsADesktopAndAPhone() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT)) {
            for (Dimension size : new Dimension[] {DESKTOP, PHONE}) {
                browser.manage().window().setSize(size);
                open(gateway);
                await(() -> text("state").equals("ready")
                        && browser.findElements(By.cssSelector("#tiles li")).size() == 6);
                assertThat(browser.executeScript("return document.documentElement.scrollWidth <= innerWidth"))
                        .as("nothing is wider than the page at " + size)
                        .isEqualTo(true);
                assertThat(browser.executeScript("return [...document.querySelectorAll('#tiles strong')]"
                                + ".every(value => value.scrollWidth <= value.clientWidth)"))
                        .as("each figure fits its tile at " + size)
                        .isEqualTo(true);
                assertThat(browser.executeScript("return new Set([...document.querySelectorAll('#tiles li')]"
                                + ".map(tile => tile.clientHeight)).size"))
                        .as("tiles are of one height")
                        .isEqualTo(1L);
                keep("dashboard-" + size.width + ".png");
            }
        }
    }

    @Test
    void sendsACommandFromThePageThatTriesThem() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT)) {
            browser.get(address(gateway) + "try.html");
            await(() -> !browser.findElements(By.cssSelector("section")).isEmpty());
            browser.executeScript(
                    "const body = document.querySelector('[aria-label=\"Body of Deposit\"]');"
                            + "body.value = arguments[0]; body.closest('section').querySelector('button').click();",
                    BankSite.deposit(7, 12));
            await(() -> browser.findElement(By.cssSelector("[aria-label=\"Answer of Deposit\"]"))
                    .getText()
                    .contains("12"));
            keep("try.png");
        }
    }

    @Test
    void sendsACommandFromSwaggerUiWhichLoadsNothingFromElsewhere() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT)) {
            browser.manage().logs().get(LogType.BROWSER);
            browser.get(address(gateway) + "swagger.html");
            By deposit = By.cssSelector("[id$='-Deposit']");
            await(() -> !browser.findElements(deposit).isEmpty());
            browser.findElement(By.cssSelector("[id$='-Deposit'] .opblock-summary-control"))
                    .click();
            By body = By.cssSelector("[id$='-Deposit'] textarea.body-param__text");
            await(() -> !browser.findElements(body).isEmpty());
            browser.findElement(body).sendKeys(Keys.chord(Keys.CONTROL, "a"), BankSite.deposit(7, 12));
            browser.findElement(By.cssSelector("[id$='-Deposit'] button.execute"))
                    .click();
            By answer = By.cssSelector("[id$='-Deposit'] .live-responses-table .response-col_status");
            await(() -> browser.findElements(answer).stream()
                    .anyMatch(status -> status.getText().startsWith("200")));
            assertThat(browser.executeScript("return performance.getEntriesByType('resource')"
                            + ".filter(each => !each.name.startsWith(location.origin + '/')"
                            + " && !each.name.startsWith('data:')).map(each => each.name)"))
                    .asInstanceOf(list(Object.class))
                    .isEmpty();
            assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                    .as("what the policy of the page forbids stands here")
                    .isEmpty();
            keep("swagger.png");
        }
    }

    @Test
    void showsADashForWhatOnlyCountersTell() throws Exception {
        gate.countDown();
        try (Service service = Service.start(ServiceConfig.in(folder.resolve("bank")), new Bank(gate));
                HttpGateway gateway = HttpGateway.start(
                        HttpConfig.onPort(0),
                        Api.of(Bank.CONTRACT),
                        new InetSocketAddress("localhost", service.port()))) {
            open(gateway);
            await(() -> entries() > 0);
            assertThat(text("tiles")).contains("–\ncommands a second", "–\nrefused a second");
            assertThat(text("throughput-legend")).contains("answered a second –", "refused a second –");
            assertThat(text("log")).contains("a commit takes\n–\nsnapshots\n–\n", "connections\n–\n");
        }
    }

    @Test
    void axeFindsNothing() throws Exception {
        gate.countDown();
        try (Counters counters = Counters.create(folder.resolve("counters"), 128);
                Service service = service(0, counters);
                HttpGateway gateway = gateway(service, counters, HttpLimits.DEFAULT)) {
            for (String page : List.of("", "try.html")) {
                for (String scheme : List.of("light", "dark")) {
                    browser.executeCdpCommand(
                            "Emulation.setEmulatedMedia",
                            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
                    browser.get(address(gateway) + page);
                    await(() -> !browser.findElements(By.cssSelector(page.isEmpty() ? "#tiles li" : "section pre"))
                            .isEmpty());
                    if (page.isEmpty()) {
                        browser.executeScript("alert(Date.now(), 'test', 'An alert.')");
                    }
                    assertThat(findings()).as("/" + page + ", " + scheme).isEmpty();
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Object> findings() throws IOException {
        try (InputStream axe = ClassLoader.getSystemResourceAsStream("axe.min.js")) {
            browser.executeScript(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        return (List<Object>) browser.executeAsyncScript("const done = arguments[0];"
                + "axe.run().then(all => done(all.violations"
                + ".map(v => v.id + ': ' + v.nodes.map(node => node.html).join(' '))));");
    }

    private Service service(int port, Counters counters) throws IOException {
        return Service.start(
                ServiceConfig.in(folder.resolve("bank"))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withThreading(Threading.THREE)
                        .withAddress(new InetSocketAddress("localhost", port)),
                new Bank(gate),
                counters);
    }

    private static HttpGateway gateway(Service service, Counters counters, HttpLimits limits) throws IOException {
        return HttpGateway.start(
                HttpConfig.onPort(0).withLimits(limits),
                Api.of(Bank.CONTRACT),
                Upstream.at(new InetSocketAddress("localhost", service.port())).withCounters(counters.file()));
    }

    private static String address(HttpGateway gateway) {
        return "http://localhost:" + gateway.port() + "/";
    }

    private static void open(HttpGateway gateway) {
        browser.get(address(gateway));
    }

    private static String text(String id) {
        return browser.findElement(By.id(id)).getText();
    }

    /** Returns the log entries that the page shows. */
    private static long entries() {
        String digits = String.valueOf(
                        browser.executeScript("return document.querySelectorAll('#tiles strong')[4]?.textContent"))
                .replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    /** Writes what the browser shows into the folder that the system property {@code screenshots} names, if any. */
    private static void keep(String name) throws IOException {
        String target = System.getProperty("screenshots");
        if (target != null) {
            Files.write(
                    Files.createDirectories(Path.of(target)).resolve(name),
                    browser.getScreenshotAs(org.openqa.selenium.OutputType.BYTES));
        }
    }

    /** A look costs four processes work, and the page changes four times a second. */
    private static void await(BooleanSupplier condition) throws Exception {
        Await.until("the page shows it", LOOK, () -> {
            try {
                return condition.getAsBoolean();
            } catch (StaleElementReferenceException e) {
                // The page has drawn that part anew.
                return false;
            }
        });
    }
}
