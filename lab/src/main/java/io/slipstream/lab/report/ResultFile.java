package io.slipstream.lab.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JSON form of a run: written after it, read to report and to compare. */
public final class ResultFile {
    private static final Gson GSON = new GsonBuilder()
            .setPrettyPrinting()
            .serializeNulls()
            .disableHtmlEscaping()
            .create();

    private ResultFile() {}

    public static void write(RunResult run, Path file) throws IOException {
        Files.writeString(file, toJson(run));
    }

    static String toJson(RunResult run) {
        return GSON.toJson(run) + "\n";
    }

    /**
     * Reads a run.
     *
     * @throws IOException when the file cannot be read
     * @throws IllegalArgumentException when it is not a result of the lab, or of a version this one does not know;
     *     names the file
     */
    public static RunResult read(Path file) throws IOException {
        RunResult run;
        try {
            run = GSON.fromJson(Files.readString(file), RunResult.class);
        } catch (JsonParseException | java.nio.charset.CharacterCodingException e) {
            String what = String.valueOf(e.getMessage())
                    .lines()
                    .findFirst()
                    .orElse("")
                    .replaceFirst("^[\\w.]+Exception: ", "");
            throw new IllegalArgumentException(file + " is not a result of the lab: " + what, e);
        }
        if (run == null || run.schema() != RunResult.SCHEMA) {
            throw new IllegalArgumentException(file + " is not a result of the lab of version " + RunResult.SCHEMA
                    + (run == null || run.schema() == 0 ? "" : ", but of version " + run.schema()));
        }
        if (!isComplete(run)) {
            throw new IllegalArgumentException(file + " is not a result of the lab: parts of it are missing");
        }
        return run;
    }

    /** A JSON reader leaves what is not in a file null, whatever the type says. */
    private static boolean isComplete(RunResult run) {
        return run.machine() != null
                && run.experiments() != null
                && Stream.of(
                                run.startedAt(),
                                run.form(),
                                run.machine().cpu(),
                                run.machine().jvms())
                        .allMatch(Objects::nonNull)
                && run.experiments().stream()
                        .allMatch(e -> e != null
                                && e.id() != null
                                && e.jvm() != null
                                && e.cases() != null
                                && e.cases().stream().allMatch(ResultFile::isComplete));
    }

    private static boolean isComplete(@Nullable CaseResult result) {
        return result != null
                && Stream.of(result.series(), result.x(), result.jvm(), result.flags(), result.samples(), result.calm())
                        .allMatch(Objects::nonNull)
                && result.samples().values().stream()
                        .allMatch(v -> v != null && !v.isEmpty() && v.stream().allMatch(Objects::nonNull));
    }
}
