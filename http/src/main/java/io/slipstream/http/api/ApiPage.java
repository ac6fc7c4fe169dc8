package io.slipstream.http.api;

import java.util.Map;

/**
 * A page of the service's own, to which the dashboard links. It may use {@code /dashboard.css}; scripts and styles
 * inside the page are not run, so give it files for them. Immutable.
 *
 * @param title of the link
 * @param files by name, each served at {@code /name}; one of them is the page, with {@code .html} at its end
 */
public record ApiPage(String title, Map<String, byte[]> files) {
    /** Copies the map. */
    public ApiPage {
        for (String name : files.keySet()) {
            if (!name.matches("[A-Za-z0-9._-]+\\.(html|js|css)")) {
                throw new IllegalArgumentException("the page '" + title + "' has a file '" + name
                        + "'; name it by letters, digits, '.', '_' and '-', with .html, .js or .css at its end");
            }
        }
        if (files.keySet().stream().filter(ApiPage::isPage).count() != 1) {
            throw new IllegalArgumentException("the page '" + title + "' needs exactly one file with .html at its end, "
                    + "but has " + files.keySet());
        }
        files = Map.copyOf(files);
    }

    /** Returns where the page is. */
    public String path() {
        return "/" + files.keySet().stream().filter(ApiPage::isPage).findFirst().orElseThrow();
    }

    private static boolean isPage(String name) {
        return name.endsWith(".html");
    }
}
