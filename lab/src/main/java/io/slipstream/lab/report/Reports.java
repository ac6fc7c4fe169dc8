package io.slipstream.lab.report;

import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes all forms of a result into one directory. */
public final class Reports {
    private Reports() {}

    /** Writes {@code report.html}, {@code results.json}, {@code results.csv} and {@code jmh.json}; returns the page. */
    public static Path write(RunResult run, Path directory) throws IOException {
        Files.createDirectories(directory);
        ResultFile.write(run, directory.resolve("results.json"));
        CsvFile.write(run, directory.resolve("results.csv"));
        JmhFile.write(run, directory.resolve("jmh.json"));
        Path page = directory.resolve("report.html");
        HtmlReport.write(run, page);
        return page;
    }
}
