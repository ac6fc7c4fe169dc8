package io.slipstream.cli.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.http.HttpGateway;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.FreezingProxy;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The page of the exchange in a real browser; skipped where Chromium and its driver are not installed. */
class BookPageTest {
    private static final File BROWSER = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");

    /** A look costs four processes work. */
    private static final Duration LOOK = Duration.ofMillis(50);

    @TempDir
    private Path folder;

    @Test
    void doesNotCallAnExchangeLiveThatIsSilent() throws Exception {
        inABrowser((browser, gateway) -> {
            try (FreezingProxy network = new FreezingProxy(gateway.port())) {
                browser.get("http://localhost:" + network.port() + "/book.html");
                Await.until("it is live", LOOK, () -> text(browser, "state").equals("live"));
                network.freeze();
                Await.until("it is not", LOOK, () -> text(browser, "state").equals("the exchange does not answer"));
            }
        });
    }

    @Test
    void theOrderFormShowsTheReplyAndCancelsTheOrder() throws Exception {
        inABrowser((browser, gateway) -> {
            browser.get("http://localhost:" + gateway.port() + "/book.html");
            By types = By.cssSelector("#type option");
            Await.until(
                    "the page knows the types",
                    LOOK,
                    () -> !browser.findElements(types).isEmpty());
            browser.findElement(By.cssSelector("#order button")).click();
            Await.until("the order rests", LOOK, () -> text(browser, "outcome").equals("resting"));
            assertThat(text(browser, "reply")).contains("status", "RESTING");
            browser.findElement(By.id("cancel")).click();
            Await.until("it is cancelled", LOOK, () -> text(browser, "outcome").startsWith("cancel"));
            browser.executeScript(
                    "const field = document.getElementById('quantity'); field.min = ''; field.value = '-1'");
            browser.findElement(By.cssSelector("#order button")).click();
            Await.until(
                    "the refusal is shown", LOOK, () -> text(browser, "outcome").matches("4\\d\\d: .+"));
        });
    }

    @Test
    void theScaleOfThePictureIsNotRounded() throws Exception {
        inABrowser((browser, gateway) -> {
            browser.get("http://localhost:" + gateway.port() + "/book.html");
            Await.until(
                    "the page knows the types",
                    LOOK,
                    () -> !browser.findElements(By.cssSelector("#type option")).isEmpty());
            browser.executeScript("document.getElementById('quantity').value = '5'");
            browser.findElement(By.cssSelector("#order button")).click();
            Await.until(
                    "half of 5 is 2.5",
                    LOOK,
                    () -> String.valueOf(browser.executeScript(
                                    "return [...document.querySelectorAll('#depth text')].map(e =>"
                                            + " e.textContent).join(' ')"))
                            .startsWith("0 2.5 5 "));
        });
    }

    private interface Steps {
        void take(ChromeDriver browser, HttpGateway gateway) throws Exception;
    }

    private void inABrowser(Steps steps) throws Exception {
        Assumptions.assumeTrue(
                BROWSER.canExecute() && DRIVER.canExecute(),
                "chromium and chromium-driver are not installed: the page is not tested in a browser");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER);
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        try (Service service = Service.start(
                        ServiceConfig.in(folder)
                                .withMaxResponseTime(Await.RESPONSE)
                                .withAddress(new InetSocketAddress("localhost", 0)),
                        () -> new ExchangeStateMachine(2, 100));
                HttpGateway gateway = HttpGateway.start(
                        HttpConfig.onPort(0),
                        ExchangeApi.create(),
                        new InetSocketAddress("localhost", service.port()))) {
            ChromeDriver browser = new ChromeDriver(
                    new ChromeDriverService.Builder()
                            .usingDriverExecutable(DRIVER)
                            .build(),
                    options);
            try {
                steps.take(browser, gateway);
            } finally {
                browser.quit();
            }
        }
    }

    private static String text(ChromeDriver browser, String id) {
        return browser.findElement(By.id(id)).getText();
    }
}
