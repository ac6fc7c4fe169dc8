package io.slipstream.benchmarks.keyvalue;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Talks to a server of Redis' protocol over one connection. */
final class Filler implements AutoCloseable {
    private static final int BATCH = 1_000;
    private static final String VALUE = "v".repeat(64);

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Filler(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
    }

    /** Sets so many keys to values of 64 bytes. */
    void fill(int keys) throws IOException {
        for (int from = 0; from < keys; from += BATCH) {
            int count = Math.min(BATCH, keys - from);
            for (int i = from; i < from + count; i++) {
                send(String.format(Locale.ROOT, "*3\r\n$3\r\nSET\r\n$16\r\nkey:%s\r\n$64\r\n%s\r\n", digits(i), VALUE));
            }
            out.flush();
            for (int i = 0; i < count; i++) {
                String answer = line();
                if (!answer.equals("+OK")) {
                    throw new IOException("SET was answered with " + answer);
                }
            }
        }
    }

    /** Fails unless there are so many keys, and some of them have the values that {@link #fill} has set. */
    void check(int keys) throws IOException {
        String held = ask("DBSIZE");
        if (!held.equals(":" + keys)) {
            throw new IOException("the server has " + held + " keys instead of " + keys);
        }
        for (int i = 0; i < keys; i += Math.max(1, keys / BATCH)) {
            String length = ask("GET key:" + digits(i));
            if (!length.equals("$64") || !line().equals(VALUE)) {
                throw new IOException("the key " + i + " has another value");
            }
        }
    }

    /** Returns how often a command was done, as the server counts. */
    long calls(String command) throws IOException {
        String length = ask("INFO commandstats");
        int rest = Integer.parseInt(length.substring(1));
        String stats = new String(in.readNBytes(rest), StandardCharsets.ISO_8859_1);
        line();
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(stats);
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private static String digits(int number) {
        String digits = Integer.toString(number);
        return "0".repeat(12 - digits.length()) + digits;
    }

    /** Sends a command of one line, and returns the first line of its answer. */
    String ask(String command) throws IOException {
        send(command + "\r\n");
        out.flush();
        return line();
    }

    private void send(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the server has closed the connection");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /** Returns whether a server holds so many keys by now. */
    static boolean holds(int port, int keys) {
        try (Filler filler = new Filler(port)) {
            return filler.ask("DBSIZE").equals(":" + keys);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
