package io.slipstream.benchmarks.http;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The same service as a usual stack: Helidon on virtual threads, a pool of ten connections, and PostgreSQL with one
 * transaction a request, which is forced to disk before the answer.
 */
final class HelidonStack implements AutoCloseable {
    private static final int ACCOUNTS = 1_000;
    private static final int POOL = 10;
    private static final String ADD = "UPDATE balances SET amount = amount + ? WHERE account = ? RETURNING amount";

    private final HikariDataSource pool;
    private final WebServer server;

    HelidonStack(String url) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(POOL);
        pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE balances (account bigint PRIMARY KEY, amount bigint NOT NULL)");
            statement.execute("INSERT INTO balances SELECT n, 0 FROM generate_series(1, " + ACCOUNTS + ") AS n");
        }
        server = WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .routing(routing -> routing.post("/commands/Deposit", this::deposit))
                .build()
                .start();
    }

    int port() {
        return server.port();
    }

    private void deposit(ServerRequest request, ServerResponse response) throws SQLException {
        String body = request.content().as(String.class);
        long account = number(body, "\"account\":");
        long amount = number(body, "\"amount\":");
        try (Connection connection = pool.getConnection();
                PreparedStatement add = connection.prepareStatement(ADD)) {
            add.setLong(1, amount);
            add.setLong(2, account);
            try (ResultSet result = add.executeQuery()) {
                result.next();
                response.header(HeaderNames.CONTENT_TYPE, "application/json")
                        .send("{\"account\":" + account + ",\"amount\":" + result.getLong(1) + "}");
            }
        }
    }

    /** Reads a number of the body, in less time than a JSON library takes. */
    private static long number(String body, String name) {
        int from = body.indexOf(name) + name.length();
        int to = from;
        while (Character.isDigit(body.charAt(to))) {
            to++;
        }
        return Long.parseLong(body, from, to, 10);
    }

    @Override
    public void close() {
        server.stop();
        pool.close();
    }
}
