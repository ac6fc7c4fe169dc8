package io.slipstream.keyvalue;

import io.slipstream.testkit.Await;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client for tests: writes commands, and reads answers of RESP2 as strings, lists and null. */
final class RespClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RespClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Await.PATIENCE.toMillis());
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
    }

    void write(String... words) throws IOException {
        out.write(("*" + words.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.ISO_8859_1);
            out.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.write(bytes);
            out.write('\r');
            out.write('\n');
        }
    }

    void flush() throws IOException {
        out.flush();
    }

    /** Sends one command, and returns its answer. */
    Object call(String... words) throws IOException {
        write(words);
        flush();
        return read();
    }

    /** Waits until something has come, and leaves it there. */
    void awaitFirst() throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            throw new EOFException("the server closed the connection");
        }
        in.reset();
    }

    /** Reads an answer: simple strings with their +, errors with their -, numbers as Long, and null as "(nil)". */
    Object read() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', '-' -> line;
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("no answer of RESP2 begins like this: " + line);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "(nil)";
        }
        String text = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
        line();
        return text;
    }

    private Object list(int count) throws IOException {
        if (count < 0) {
            return "(nil)";
        }
        List<Object> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(read());
        }
        return list;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the server closed the connection after '" + line + "'");
            }
            line.append((char) b);
        }
        return line.substring(0, line.length() - 1);
    }

    int localPort() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
