package io.slipstream.cli.service;

import io.slipstream.core.text.SettingsText;
import io.slipstream.http.config.Bearer;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tokens of a gateway in a text file, one a line, such as {@code desk write 5e1f...}: the name of the bearer,
 * {@code read} or {@code write}, and the secret. What follows a {@code #} at the begin of a line is a comment. Several
 * lines may have one name, while its secret is replaced.
 */
final class HttpTokens {
    private HttpTokens() {}

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException if it cannot be read, has no token, or has a line that is none; the message
     *                                  names file and line, and never a secret
     */
    static Map<String, Bearer> read(Path file) {
        Map<String, Bearer> tokens = new HashMap<>();
        List<String> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("\\s+", -1);
            String place = file + ", line " + (i + 1) + ": ";
            if (words.length != 3 || !words[1].equals("read") && !words[1].equals("write")) {
                throw new IllegalArgumentException(place + "a line is NAME read TOKEN or NAME write TOKEN");
            }
            Bearer bearer;
            try {
                bearer = words[1].equals("write") ? Bearer.writer(words[0]) : Bearer.reader(words[0]);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(place + e.getMessage(), e);
            }
            if (tokens.putIfAbsent(words[2], bearer) != null) {
                throw new IllegalArgumentException(place + "another line has the same token");
            }
        }
        if (tokens.isEmpty()) {
            throw new IllegalArgumentException(file + " has no token; a line is NAME read TOKEN or NAME write TOKEN");
        }
        return tokens;
    }

    private static List<String> lines(Path file) {
        try {
            return SettingsText.read(file).lines().toList();
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file + " for --http-tokens", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is no text in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
