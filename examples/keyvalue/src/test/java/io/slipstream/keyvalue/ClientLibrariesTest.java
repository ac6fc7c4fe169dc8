package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.params.SetParams;

/** The clients that people use talk to the store as they come: Jedis, Lettuce, redis-py and redis-cli. */
@Timeout(120)
class ClientLibrariesTest {
    /** What redis-py says and expects, in the version of the protocol that is its argument. */
    private static final String PYTHON = """
        import sys
        try:
            import redis
        except ImportError:
            sys.exit(77)
        r = redis.Redis(port=int(sys.argv[1]), protocol=int(sys.argv[2]), decode_responses=True)
        assert r.set('a', '1') and r.incrby('a', 5) == 6 and r.get('none') is None
        assert r.hset('h', mapping={'x': 1, 'y': 2}) == 2 and r.hgetall('h') == {'x': '1', 'y': '2'}
        assert r.rpush('l', 'x', 'y') == 2 and list(r.blpop(['l'], 1)) == ['l', 'x']
        assert r.sadd('s', 'a', 'b') == 2 and r.smembers('s') == {'a', 'b'}
        assert r.zadd('z', {'a': 1, 'b': 2.5}) == 2 and r.zscore('z', 'b') == 2.5
        assert sorted(r.scan_iter('?')) == ['a', 'h', 'l', 's', 'z']
        with r.pipeline() as p:
            p.watch('a')
            p.multi()
            p.incr('a')
            p.get('a')
            assert p.execute() == [7, '7']
        listener = r.pubsub()
        listener.subscribe('news')
        assert listener.get_message(timeout=60)['type'] == 'subscribe'
        assert r.publish('news', 'rain') == 1
        assert listener.get_message(timeout=60)['data'] == 'rain'
        assert r.info()['redis_version'] and r.flushall() and r.dbsize() == 0
        print('done')
        """;

    /** Where {@code etc/install-test-tools} puts redis-py. */
    private static final Path LIBRARIES =
            Path.of(System.getProperty("user.home"), ".cache/slipstream/test-tools/python");

    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();
    private Service service;
    private int port;

    @BeforeEach
    void start() throws IOException {
        service = Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Duration.ofMinutes(1))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                KeyValueStore::new);
        port = service.port(protocol);
    }

    @AfterEach
    void stop() throws Exception {
        service.close();
    }

    @Test
    void jedisWorksInBothProtocols() {
        for (RedisProtocol version : List.of(RedisProtocol.RESP2, RedisProtocol.RESP3)) {
            try (Jedis jedis = new Jedis(
                    new HostAndPort("127.0.0.1", port),
                    DefaultJedisClientConfig.builder()
                            .protocol(version)
                            .clientName("tester")
                            .build())) {
                assertThat(jedis.set("a", "1", SetParams.setParams().ex(100))).isEqualTo("OK");
                assertThat(jedis.incrBy("a", 41)).isEqualTo(42);
                assertThat(jedis.ttl("a")).isBetween(1L, 100L);
                assertThat(jedis.get("none")).isNull();
                assertThat(jedis.hset("h", Map.of("x", "1", "y", "2"))).isEqualTo(2);
                assertThat(jedis.hgetAll("h")).isEqualTo(Map.of("x", "1", "y", "2"));
                assertThat(jedis.rpush("l", "x", "y", "z")).isEqualTo(3);
                assertThat(jedis.blpop(1, "l")).isEqualTo(List.of("l", "x"));
                assertThat(jedis.lrange("l", 0, -1)).isEqualTo(List.of("y", "z"));
                assertThat(jedis.sadd("s", "a", "b")).isEqualTo(2);
                assertThat(jedis.smembers("s")).isEqualTo(Set.of("a", "b"));
                assertThat(jedis.zadd("z", Map.of("a", 1.5, "b", 2.0))).isEqualTo(2);
                assertThat(jedis.zrangeWithScores("z", 0, -1).getFirst().getScore())
                        .isEqualTo(1.5);
                assertThat(jedis.zpopmax("z").getElement()).isEqualTo("b");
                assertThat(jedis.scan("0").getResult()).contains("a", "h", "l", "s", "z");
                Transaction transaction = jedis.multi();
                Response<Long> sum = transaction.incr("a");
                transaction.lpop("l");
                assertThat(transaction.exec()).isEqualTo(List.of(43L, "y"));
                assertThat(sum.get()).isEqualTo(43);
                Pipeline pipeline = jedis.pipelined();
                for (int i = 0; i < 1_000; i++) {
                    pipeline.set("key" + i, "value" + i);
                }
                Response<String> last = pipeline.get("key999");
                pipeline.sync();
                assertThat(last.get()).isEqualTo("value999");
                assertThat(jedis.clientGetname()).isEqualTo("tester");
                assertThat(jedis.info("server")).contains("redis_version");
                assertThat(jedis.flushAll()).isEqualTo("OK");
            }
        }
    }

    @Test
    void lettuceWorksAsItComes() throws Exception {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        try (StatefulRedisConnection<String, String> connection = client.connect();
                StatefulRedisPubSubConnection<String, String> listener = client.connectPubSub()) {
            RedisCommands<String, String> commands = connection.sync();
            assertThat(commands.set("a", "1")).isEqualTo("OK");
            assertThat(commands.incrby("a", 41)).isEqualTo(42);
            assertThat(commands.hset("h", Map.of("x", "1", "y", "2"))).isEqualTo(2);
            assertThat(commands.hgetall("h")).isEqualTo(Map.of("x", "1", "y", "2"));
            assertThat(commands.rpush("l", "x", "y")).isEqualTo(2);
            assertThat(commands.blpop(1, "l")).isEqualTo(KeyValue.just("l", "x"));
            assertThat(commands.sadd("s", "a", "b")).isEqualTo(2);
            assertThat(commands.smembers("s")).isEqualTo(Set.of("a", "b"));
            assertThat(commands.zadd("z", 1.5, "a", 2.0, "b")).isEqualTo(2);
            assertThat(commands.zrangeWithScores("z", 0, -1))
                    .isEqualTo(List.of(ScoredValue.just(1.5, "a"), ScoredValue.just(2, "b")));
            assertThat(commands.multi()).isEqualTo("OK");
            commands.incr("a");
            commands.get("none");
            TransactionResult result = commands.exec();
            assertThat(result.<Long>get(0)).isEqualTo(43L);
            assertThat(commands.scan().getKeys()).contains("a", "h", "l", "s", "z");
            CompletableFuture<String> heard = new CompletableFuture<>();
            listener.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    heard.complete(channel + ": " + message);
                }
            });
            listener.sync().subscribe("news");
            assertThat(commands.publish("news", "rain")).isEqualTo(1);
            assertThat(Await.done(heard)).isEqualTo("news: rain");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(10));
        }
    }

    @Test
    void redisPyWorksAsItComes() throws Exception {
        for (String version : List.of("2", "3")) {
            String told = run(77, "redis-py", "python3", "-c", PYTHON, Integer.toString(port), version);
            assertThat(told).endsWith("done\n");
        }
    }

    @Test
    void redisCliWorksAsItComes() throws Exception {
        String where = Integer.toString(port);
        assertThat(run(-1, "redis-cli", "redis-cli", "-p", where, "set", "a", "1"))
                .isEqualTo("OK\n");
        assertThat(run(-1, "redis-cli", "redis-cli", "-3", "-p", where, "hset", "h", "f", "v"))
                .isEqualTo("1\n");
        assertThat(run(-1, "redis-cli", "redis-cli", "-3", "-p", where, "hgetall", "h"))
                .isEqualTo("f v\n");
        assertThat(run(-1, "redis-cli", "redis-cli", "-p", where, "--scan").lines())
                .containsOnly("a", "h");
        assertThat(run(-1, "redis-cli", "redis-cli", "-p", where, "--bigkeys")).contains("Biggest");
    }

    /** Runs a program; skips the test if it is not there, or ends with that code. */
    private static String run(int missing, String what, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PYTHONPATH", LIBRARIES.toString(), (own, more) -> own + File.pathSeparator + more);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            Assumptions.abort(what + " is not installed, so there is nothing to try");
            throw new AssertionError("not reached", e);
        }
        process.getOutputStream().close();
        try (InputStream in = process.getInputStream()) {
            String told = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            Assumptions.assumeTrue(code != missing, what + " is not installed, so there is nothing to try");
            assertThat(code).as(told).isZero();
            return told;
        }
    }
}
