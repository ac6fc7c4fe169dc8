package io.slipstream.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.lab.MadeUp;
import io.slipstream.lab.plot.Xml;
import io.slipstream.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Opens the report in a real browser, at desktop and phone width, in light and dark. Skipped where there is none; one
 * that is there and does not answer is a failure.
 */
class BrowserTest {
    private static final List<String> BROWSERS =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final String PROBE = """
        <script>addEventListener('load', () => {
          const shown = document.getElementById('report').contentDocument;
          const width = shown.documentElement.clientWidth;
          const wide = [...shown.querySelectorAll('main, section, h1, h2, p, .verdicts, .verdicts .verdict')]
              .filter(e => e.getBoundingClientRect().right > width + 1).length;
          const hidden = [...shown.querySelectorAll('svg')]
              .filter(e => e.getBoundingClientRect().width < 100).length;
          const small = [...shown.querySelectorAll('figure svg')].flatMap(svg => {
                const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
                return [...svg.querySelectorAll('text')].map(text => scale
                    * parseFloat(shown.defaultView.getComputedStyle(text).fontSize));
              }).filter(size => size < 10).length;
          const cut = [...shown.querySelectorAll('figure')].flatMap(figure => {
                const box = figure.getBoundingClientRect();
                return [...figure.querySelectorAll('text')].map(text => text.getBoundingClientRect())
                    .filter(text => text.left < box.left - 1 || text.top < box.top - 1 || text.bottom > box.bottom + 1);
              }).length;
          document.title = 'width=' + width + ' scrolls=' + (shown.documentElement.scrollWidth > width) + ' wide='
                  + wide + ' hidden=' + hidden
              + ' small=' + small + ' cut=' + cut
              + ' plots=' + shown.querySelectorAll('svg').length
              + ' ground=' + shown.defaultView.getComputedStyle(shown.body).backgroundColor;
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
        Path page = directory.resolve("framed.html");
        // In a frame, because a window is never as narrow as a phone.
        Files.writeString(
                page,
                "<!doctype html><html style=\"color-scheme: light dark\"><head><title></title>" + PROBE
                        + "</head><body><iframe id=\"report\" width=\"" + width
                        + "\" height=\"800\" style=\"border: 0\" srcdoc=\""
                        + Xml.escape(HtmlReport.page(MadeUp.run())) + "\"></iframe></body></html>");

        String title = title(String.valueOf(browser), page, theme);

        assertThat(title)
                .contains("width=" + width + " ")
                .contains("scrolls=false wide=0 hidden=0 small=0 cut=0 plots=11")
                .contains(theme.equals("dark") ? "ground=rgb(20, 24, 27)" : "ground=rgb(251, 250, 247)");
    }

    private static String title(String browser, Path page, String theme) throws Exception {
        Path dump = page.resolveSibling("dom.html");
        Process process = new ProcessBuilder(
                        browser,
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--window-size=1200,900",
                        "--user-data-dir=" + page.resolveSibling("profile"),
                        "--virtual-time-budget=2000",
                        "--blink-settings=preferredColorScheme=" + (theme.equals("dark") ? 0 : 1),
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(dump.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        boolean ended = process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(ended).as("the browser ended in time").isTrue();
        String dom = Files.readString(dump);
        assertThat(dom)
                .as("what the browser wrote; it ended with %d", process.exitValue())
                .contains("<title>");
        return dom.substring(dom.indexOf("<title>"), dom.indexOf("</title>"));
    }
}
