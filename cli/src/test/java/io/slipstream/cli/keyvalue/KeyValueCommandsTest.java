package io.slipstream.cli.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import io.slipstream.service.security.AccessFile;
import io.slipstream.testkit.Await;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyValueCommandsTest {
    private static final String SERVING = "Serving keys and values on 127.0.0.1:";

    /** What redis-server 7.0.15 has written of some keys of each type, with the forms that it packs them in. */
    private static final String IMAGE = """
        UkVESVMwMDEw+glyZWRpcy12ZXIGNy4wLjE1+gpyZWRpcy1iaXRzwED6BWN0aW1lwt/YBGv6CHVzZWQtbWVtwnjmDwD6CGFv
        Zi1iYXNlwAH+APsOAQADcmVwwwtA8ANhYmNh4OECAWJjAAFzBWhlbGxvCwF0DgIAAAADAAAA/v8BACwBBAJobAEBZsMJQFAB
        enrgQwABenoRAXoiIgAAAAgAgWMC3/kCgWECAQGBYgKDMi41BIFkAoNpbmYE/xABaBUVAAAABACCZjEDgnYxA4JmMgMMAf8C
        AnQyAgFiAWESAWwBAsMoQIYZhgAAAAYAgWECAQHxeOwD8nARAQT0AMgXqAQgGAMJ4GR54FoAAWb/CwJ0NBAEAAAAAgAAAAEA
        AACghgEABQJ6bALDCUBQAXd34EMAAXd3AAAAAAAA9D8BcQAAAAAAAPD/AAVzbWFsbMAF/HtAlFKjAwAAAAFlAXgAA21pZMEs
        AQABbsJ5Ke3//+xAOkbeJiTf\
        """;

    /** Made by Redis 7.0.15. */
    private static final String STREAMS = """
        UkVESVMwMDEw+glyZWRpcy12ZXIGNy4wLjE1+gpyZWRpcy1iaXRzwED6BWN0aW1lwnKjB2v6CHVzZWQtbWVtwrBuEQD6CGFvZi1i
        YXNlwAD+APsCABMBZQAAAAAAAAAAAAEBaAAAgf//////////AAATAXMBEAAAAAAAAAABAAAAAAAAAAFAYGAAAAAjAAMBAQECAYFh
        AoFiAgABAgEAAQABAQECAQUBAwEAAQEBAwGEZm91cgUFAQABAQEAAQMBhW90aGVyBoVmaWVsZAaBYQIFAYFiAgYBCgECAQQB3/8C
        BwEIAQUB/wMFAAEBAQIEAQFnBQAEAgAAAAAAAAACAAAAAAAAAAEAedYVogEAAAEAAAAAAAAABQAAAAAAAAAABHnWFaIBAAABAwJj
        MQB51hWiAQAAAQAAAAAAAAACAAAAAAAAAAECYzIEedYVogEAAAEAAAAAAAAABQAAAAAAAAAABGlkbGULedYVogEAAAD+A/sBAAAB
        awV0aHJlZf4P+wEAEgFsAQINDQAAAAIAgWECgWIC//+AbD7ZBiKhHA==
        """;

    @TempDir
    Path folder;

    @Test
    void keepsWhatItHasAnsweredWhenItIsKilledAndTakesInWhatARedisHas() throws Exception {
        Path aof = folder.resolve("appendonly.aof");
        Files.writeString(
                aof,
                "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n#TS:1\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\na b"
                        + "\r\n*3\r\n$5\r\nRPUSH\r\n$1\r\nl\r\n$1\r\nx\r\n*3\r\n$3\r\nSET\r\n$1\r\nc\r\n$9\r\ncut o");
        Process first = serve();
        try {
            int port = port(first);
            assertThat(Main.run("import-aof", aof.toString(), "--port", Integer.toString(port)))
                    .isZero();
            assertThat(ask(port, "INCR n", 4)).isEqualTo(":1\r\n");
        } finally {
            first.destroyForcibly().waitFor();
        }
        Process second = serve();
        try {
            int port = port(second);
            assertThat(ask(port, "INCR n", 4)).isEqualTo(":2\r\n");
            assertThat(ask(port, "GET k", 9)).isEqualTo("$3\r\na b\r\n");
            assertThat(ask(port, "LLEN l", 4)).isEqualTo(":1\r\n");
            assertThat(ask(port, "EXISTS c", 4)).isEqualTo(":0\r\n");
            second.destroy();
            assertThat(second.waitFor()).isZero();
        } finally {
            second.destroyForcibly().waitFor();
        }
    }

    @Test
    void takesInTheFolderThatRedis7Keeps() throws Exception {
        Path source = Files.createDirectory(folder.resolve("appendonlydir"));
        byte[] image = Base64.getMimeDecoder().decode(IMAGE);
        Files.write(source.resolve("a.1.base.rdb"), image);
        Files.writeString(source.resolve("a.1.incr.aof"), "*2\r\n$4\r\nINCR\r\n$5\r\nsmall\r\n");
        Files.writeString(
                source.resolve("a.manifest"), "file a.1.base.rdb seq 1 type b\nfile a.1.incr.aof seq 1 type i\n");
        byte[] damaged = image.clone();
        damaged[image.length / 2] ^= 1;
        Path broken = Files.write(folder.resolve("broken.rdb"), damaged);
        Process server = serve();
        try {
            int port = port(server);
            assertThat(Main.run("import-aof", source.toString(), "--port", Integer.toString(port)))
                    .isZero();
            String answers = ":14\r\n$8\r\n-1234567\r\n$1\r\n6\r\n$240\r\n" + "abc".repeat(80) + "\r\n"
                    + ":4000000000123\r\n*2\r\n$11\r\n20000000000\r\n$100\r\n" + "y".repeat(100) + "\r\n"
                    + "*3\r\n:1\r\n:1\r\n:0\r\n:1\r\n$2\r\n12\r\n:80\r\n*2\r\n$3\r\n2.5\r\n$3\r\ninf\r\n"
                    + "$4\r\n-inf\r\n";
            assertThat(ask(port, """
                DBSIZE
                GET n
                GET small
                GET rep
                PEXPIRETIME e
                LRANGE l -2 -1
                SMISMEMBER t -2 300 b
                SISMEMBER t2 b
                HGET h f2
                HSTRLEN hl f
                ZMSCORE z b d
                ZSCORE zl q\
                """, answers.length())).isEqualTo(answers);
            assertThat(Main.run("import-aof", broken.toString(), "--replace", "--port", Integer.toString(port)))
                    .isEqualTo(1);
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void namesWhatTheStoreCannotHoldAndBringsTheRestInOnce() throws Exception {
        Path aof = folder.resolve("mixed.aof");
        Files.writeString(
                aof,
                command("RPUSH", "l", "x")
                        + command("PFADD", "visitors", "a")
                        + command("SET", "large", "v".repeat(3_000_000))
                        + command("RPUSH", "l", "y"));
        Process server = serve();
        try {
            String port = Integer.toString(port(server));
            Said first = run("import-aof", aof.toString(), "--port", port);
            assertThat(first.code()).isEqualTo(1);
            assertThat(first.text())
                    .contains("left out: PFADD 'visitors'")
                    .contains("left out: SET 'large': a value has 3000000 bytes, and at most 2620")
                    .contains("2 commands were applied");
            assertThat(ask(Integer.parseInt(port), "LLEN l", 4)).isEqualTo(":2\r\n");
            assertThat(run("import-aof", aof.toString(), "--port", port).text()).contains("has 1 keys already");
            assertThat(ask(Integer.parseInt(port), "LLEN l", 4)).isEqualTo(":2\r\n");
            run("import-aof", aof.toString(), "--port", port, "--replace");
            assertThat(ask(Integer.parseInt(port), "LLEN l", 4)).isEqualTo(":2\r\n");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void whoMayNotWriteIsToldBeforeTheFirstKey() throws Exception {
        Path aof = Files.writeString(folder.resolve("one.aof"), command("SET", "k", "v"));
        Path token = Files.writeString(folder.resolve("token"), "only looks");
        Path access = Files.writeString(
                folder.resolve("access"), "reader token " + AccessFile.hash("only looks") + " may query\n");
        Process server = serve("-Xmx1g", "--access", access.toString());
        try {
            String port = Integer.toString(port(server));
            assertThat(run("import-aof", aof.toString(), "--port", port).text()).contains("NOAUTH", "(--token)");
            Said said = run("import-aof", aof.toString(), "--port", port, "--token", token.toString());
            assertThat(said.code()).isEqualTo(1);
            assertThat(said.text())
                    .contains("NOPERM", "'del' command", "nothing was written")
                    .doesNotContain("applied");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** Databases, and streams with an entry that was deleted, groups, and what is pending. */
    @Test
    void takesInDatabasesAndStreams() throws Exception {
        Path dump = Files.write(
                folder.resolve("streams.rdb"), Base64.getMimeDecoder().decode(STREAMS));
        Path aof = folder.resolve("databases.aof");
        Files.writeString(
                aof,
                command("SELECT", "7")
                        + command("SET", "k", "seven")
                        + command("SELECT", "0")
                        + command("SET", "k", "zero"));
        Path beyond = folder.resolve("beyond.aof");
        Files.writeString(beyond, command("SELECT", "16") + command("SET", "k", "v"));
        Process server = serve();
        try {
            int port = port(server);
            Said said = run("import-aof", dump.toString(), "--port", Integer.toString(port));
            assertThat(said.text()).doesNotContain("left out").contains("and 0 refused");
            assertThat(said.code()).isZero();
            String answers = "*3\r\n"
                    + "*2\r\n"
                    + "$3\r\n"
                    + "1-1\r\n"
                    + "*4\r\n"
                    + "$1\r\n"
                    + "a\r\n"
                    + "$1\r\n"
                    + "1\r\n"
                    + "$1\r\n"
                    + "b\r\n"
                    + "$1\r\n"
                    + "2\r\n"
                    + "*2\r\n"
                    + "$3\r\n"
                    + "2-1\r\n"
                    + "*6\r\n"
                    + "$5\r\n"
                    + "other\r\n"
                    + "$5\r\n"
                    + "field\r\n"
                    + "$1\r\n"
                    + "a\r\n"
                    + "$1\r\n"
                    + "5\r\n"
                    + "$1\r\n"
                    + "b\r\n"
                    + "$1\r\n"
                    + "6\r\n"
                    + "*2\r\n"
                    + "$3\r\n"
                    + "5-0\r\n"
                    + "*4\r\n"
                    + "$1\r\n"
                    + "a\r\n"
                    + "$1\r\n"
                    + "7\r\n"
                    + "$1\r\n"
                    + "b\r\n"
                    + "$1\r\n"
                    + "8\r\n"
                    + "*4\r\n"
                    + ":2\r\n"
                    + "$3\r\n"
                    + "2-1\r\n"
                    + "$3\r\n"
                    + "5-0\r\n"
                    + "*2\r\n"
                    + "*2\r\n"
                    + "$2\r\n"
                    + "c1\r\n"
                    + "$1\r\n"
                    + "1\r\n"
                    + "*2\r\n"
                    + "$2\r\n"
                    + "c2\r\n"
                    + "$1\r\n"
                    + "1\r\n"
                    + ":0\r\n"
                    + "+OK\r\n"
                    + "$5\r\n"
                    + "three\r\n"
                    + "+OK\r\n"
                    + ":2\r\n";
            assertThat(ask(port, """
                XRANGE s - +
                XPENDING s g
                XLEN e
                SELECT 3
                GET k
                SELECT 15
                LLEN l\
                """, answers.length())).isEqualTo(answers);
            String group = ask(port, "XINFO GROUPS s", 100);
            assertThat(group)
                    .contains("consumers\r\n:3\r\n")
                    .contains("pending\r\n:2\r\n")
                    .contains("last-delivered-id\r\n$3\r\n5-0\r\n");
            assertThat(run("import-aof", aof.toString(), "--port", Integer.toString(port))
                            .text())
                    .as("keys in all databases count")
                    .contains("has 4 keys already");
            assertThat(run("import-aof", aof.toString(), "--port", Integer.toString(port), "--replace")
                            .code())
                    .isZero();
            String databases = ":1\r\n+OK\r\n$5\r\nseven\r\n+OK\r\n:0\r\n";
            assertThat(ask(port, "DBSIZE\r\nSELECT 7\r\nGET k\r\nSELECT 15\r\nDBSIZE", databases.length()))
                    .isEqualTo(databases);
            assertThat(run("import-aof", beyond.toString(), "--port", Integer.toString(port), "--replace")
                            .text())
                    .contains("uses database 16")
                    .contains("databases 0 to 15");
            assertThat(ask(port, "GET k", 10)).as("nothing was removed").isEqualTo("$4\r\nzero\r\n");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private record Said(int code, String text) {}

    private static Said run(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(said, true, StandardCharsets.UTF_8);
        System.setOut(both);
        System.setErr(both);
        try {
            int code = Main.run(arguments);
            return new Said(code, said.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private static String command(String... words) {
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString();
    }

    @Test
    void refusesWhatIsNoAppendOnlyFile() throws Exception {
        Path image = Files.writeString(folder.resolve("dump.rdb"), "REDIS0011");
        Path text = Files.writeString(folder.resolve("text"), "hello\n");
        Process server = serve();
        try {
            String port = Integer.toString(port(server));
            assertThat(Main.run("import-aof", image.toString(), "--port", port)).isEqualTo(1);
            assertThat(Main.run("import-aof", text.toString(), "--port", port)).isEqualTo(1);
            assertThat(Main.run("import-aof", folder.resolve("none").toString(), "--port", port))
                    .isEqualTo(1);
            assertThat(Main.run("import-aof", text.toString(), "--port", "0")).isEqualTo(2);
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void keepsLongValuesWhenItIsKilledAndReadsThemWithoutTheOption() throws Exception {
        String value = "long ".repeat(700_000);
        String set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + value.length() + "\r\n" + value;
        String got = "$" + value.length() + "\r\n" + value + "\r\n";
        Process first = serve("-Xmx256m", "--max-value", "4");
        try {
            int port = port(first);
            assertThat(ask(port, set, 5)).isEqualTo("+OK\r\n");
            try (Socket half = new Socket("127.0.0.1", port)) {
                half.getOutputStream()
                        .write(set.replace("k", "h").substring(0, 2_000_000).getBytes(StandardCharsets.US_ASCII));
                assertThat(ask(port, "GET k", got.length()).equals(got)).isTrue();
            }
        } finally {
            first.destroyForcibly().waitFor();
        }
        Process second = serve("-Xmx256m", "--max-value", "4");
        try {
            int port = port(second);
            assertThat(ask(port, "GET k", got.length()).equals(got)).isTrue();
            assertThat(ask(port, "EXISTS h", 4)).isEqualTo(":0\r\n");
        } finally {
            second.destroyForcibly().waitFor();
        }
        Process third = serve();
        try {
            int port = port(third);
            assertThat(ask(port, "GET k", got.length()).equals(got)).isTrue();
            assertThat(ask(port, "APPEND k x", 30)).startsWith("-ERR string exceeds maximum");
        } finally {
            third.destroyForcibly().waitFor();
        }
    }

    @Test
    void refusesLongValuesThatItCannotCarryBeforeItWritesAnything() throws Exception {
        assertRefused("--max-value must be 1, 2, 4, 8, 16, 32 or 64, not 3", "-Xmx256m", "--max-value", "3");
        assertRefused("--max-value must be", "-Xmx256m", "--max-value", "128");
        assertRefused(
                "--max-value and --backup exclude each other", "-Xmx256m", "--max-value", "4", "--backup", "host:1");
        assertRefused("--max-value 64 needs a heap of 1024 MB", "-Xmx256m", "--max-value", "64");
    }

    private void assertRefused(String message, String heap, String... more) throws Exception {
        Process process = serve(heap, more);
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isEqualTo(2);
            assertThat(said).contains(message);
            assertThat(folder.resolve("data")).doesNotExist();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private Process serve() throws IOException {
        return serve("-Xmx1g");
    }

    private Process serve(String heap, String... more) throws IOException {
        String own = Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                heap,
                "-p",
                own + File.pathSeparator + System.getProperty("jdk.module.path"),
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main",
                "serve",
                "keyvalue",
                "--dir",
                folder.resolve("data").toString(),
                "--port",
                "0",
                "--level",
                "PROCESS"));
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static int port(Process server) throws IOException {
        BufferedReader lines = server.inputReader();
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith(SERVING)) {
                return Integer.parseInt(line.substring(SERVING.length()).split(" ")[0]);
            }
        }
        throw new IOException("it did not start: " + said);
    }

    private static String ask(int port, String request, int bytes) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout((int) Await.PATIENCE.toMillis());
            socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
        }
    }
}
