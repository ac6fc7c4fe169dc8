package io.slipstream.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.lab.MadeUp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opens the report in a real browser, at desktop and phone width, in light and dark. Skipped where there is none. */
class BrowserTest {
    private static final List<String> BROWSERS =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final String PROBE = """
        <script>addEventListener('load', () => {
          const wide = [...document.querySelectorAll('main, section, h1, h2, p, .verdicts, .verdicts .verdict')]
              .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).length;
          const hidden = [...document.querySelectorAll('svg')]
              .filter(e => e.getBoundingClientRect().width < 100).length;
          document.title = 'wide=' + wide + ' hidden=' + hidden + ' plots=' + document.querySelectorAll('svg').length
              + ' ground=' + getComputedStyle(document.body).backgroundColor;
        })</script>\
        """;

    @ParameterizedTest
    @CsvSource({"1100,light", "390,dark"})
    void isLaidOutWithinTheWindow(int width, String theme, @TempDir Path directory) throws Exception {
        String browser = BROWSERS.stream()
                .filter(b -> Files.isExecutable(Path.of(b)))
                .findFirst()
                .orElse(null);
        assumeTrue(browser != null, "there is no Chromium here");
        Path page = directory.resolve("report.html");
        Files.writeString(page, HtmlReport.page(MadeUp.run()).replace("</head>", PROBE + "</head>"));

        String title = title(String.valueOf(browser), page, width, theme);

        assertThat(title)
                .contains("wide=0 hidden=0 plots=7")
                .contains(theme.equals("dark") ? "ground=rgb(20, 24, 27)" : "ground=rgb(251, 250, 247)");
    }

    private static String title(String browser, Path page, int width, String theme) throws Exception {
        Path dump = page.resolveSibling("dom.html");
        Process process = new ProcessBuilder(
                        browser,
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--window-size=" + width + ",900",
                        "--user-data-dir=" + page.resolveSibling("profile"),
                        "--virtual-time-budget=2000",
                        "--blink-settings=preferredColorScheme=" + (theme.equals("dark") ? 0 : 1),
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(dump.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assumeTrue(process.waitFor(60, TimeUnit.SECONDS), "the browser did not finish");
        String dom = Files.readString(dump);
        assumeTrue(dom.contains("<title>"), "the browser does not run here");
        return dom.substring(dom.indexOf("<title>"), dom.indexOf("</title>"));
    }
}
