package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.Cache;
import org.springframework.dao.DataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.domain.Range;
import org.springframework.data.keyvalue.repository.KeyValueRepository;
import org.springframework.data.redis.cache.BatchStrategies;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.cache.RedisCacheWriter.RedisCacheWriterConfigurer;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamReadOptions;
import org.springframework.data.redis.connection.stream.StreamRecords;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.RedisHash;
import org.springframework.data.redis.core.RedisKeyValueAdapter;
import org.springframework.data.redis.core.RedisKeyValueTemplate;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.TimeToLive;
import org.springframework.data.redis.core.index.Indexed;
import org.springframework.data.redis.core.mapping.RedisMappingContext;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.PatternTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.repository.support.RedisRepositoryFactory;

/** Spring Data Redis talks to the store as it comes, by its default client, Lettuce. */
@Timeout(120)
class SpringDataTest {
    private static final RespProtocol PROTOCOL = new RespProtocol();

    @TempDir
    private static Path folder;

    private static Service service;
    private static LettuceConnectionFactory connections;
    private static StringRedisTemplate template;

    @BeforeAll
    static void start() throws IOException {
        service = Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(PROTOCOL, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Duration.ofMinutes(1))
                        .withLimits(limits -> limits.withMaxFrameLength(1 << 19))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                KeyValueStore::new);
        connections =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", service.port(PROTOCOL)));
        connections.afterPropertiesSet();
        connections.start();
        template = new StringRedisTemplate(connections);
    }

    @AfterAll
    static void stop() throws Exception {
        connections.destroy();
        service.close();
    }

    @BeforeEach
    void empty() {
        template.getRequiredConnectionFactory().getConnection().serverCommands().flushAll();
    }

    @Test
    void templatesReadAndWriteEachType() {
        var values = template.opsForValue();
        values.set("a", "41", Duration.ofSeconds(100));
        assertThat(values.increment("a")).isEqualTo(42);
        assertThat(template.getExpire("a")).isBetween(1L, 100L);
        assertThat(template.getExpire("none")).isEqualTo(-2);
        assertThat(values.setIfAbsent("a", "x", Duration.ofSeconds(1))).isFalse();
        assertThat(values.getAndExpire("a", Duration.ofSeconds(200))).isEqualTo("42");
        assertThat(template.getExpire("a", TimeUnit.MINUTES)).isBetween(1L, 3L);
        assertThat(values.multiGet(List.of("a", "none"))).containsExactly("42", null);
        assertThat(values.getAndDelete("a")).isEqualTo("42");
        assertThat(values.get("a")).isNull();

        template.opsForHash().putAll("h", Map.of("x", "1", "y", "2"));
        assertThat(template.opsForHash().entries("h")).isEqualTo(Map.of("x", "1", "y", "2"));
        assertThat(template.opsForHash().increment("h", "x", 1.5)).isEqualTo(2.5);
        assertThat(template.opsForHash().putIfAbsent("h", "x", "z")).isFalse();

        assertThat(template.opsForList().rightPushAll("l", "a", "b", "c")).isEqualTo(3);
        assertThat(template.opsForList().leftPop("l", Duration.ofSeconds(1))).isEqualTo("a");
        assertThat(template.opsForList().leftPop("none", Duration.ofMillis(10))).isNull();
        assertThat(template.opsForList().rightPopAndLeftPush("l", "l2", Duration.ofSeconds(1)))
                .isEqualTo("c");
        assertThat(template.opsForList().range("l", 0, -1)).containsExactly("b");

        assertThat(template.opsForSet().add("s", "a", "b")).isEqualTo(2);
        assertThat(template.opsForSet().isMember("s", "a", "x")).isEqualTo(Map.of("a", true, "x", false));
        assertThat(template.opsForSet().intersectAndStore("s", "s", "s2")).isEqualTo(2);

        var sorted = template.opsForZSet();
        sorted.add("z", "a", 1.5);
        sorted.add("z", "b", Double.POSITIVE_INFINITY);
        assertThat(sorted.score("z", "b")).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(sorted.rangeByLex("z", Range.unbounded(), Limit.limit().count(1)))
                .containsExactly("a");
        assertThat(sorted.reverseRangeByScore("z", 0, 2)).containsExactly("a");
        assertThat(sorted.popMax("z").getValue()).isEqualTo("b");
        assertThat(template.opsForValue().setBit("bits", 7, true)).isFalse();
        assertThat(template.type("z").code()).isEqualTo("zset");
    }

    @Test
    void objectsAreStoredAsJavaSerializesThem() {
        RedisTemplate<Object, Object> objects = new RedisTemplate<>();
        objects.setConnectionFactory(connections);
        objects.afterPropertiesSet();
        objects.opsForValue().set(List.of("key", 1), Map.of("value", Set.of(1, 2)));
        assertThat(objects.opsForValue().get(List.of("key", 1))).isEqualTo(Map.of("value", Set.of(1, 2)));
        objects.opsForHash().put("h", 1L, List.of("x"));
        assertThat(objects.opsForHash().entries("h")).isEqualTo(Map.of(1L, List.of("x")));
    }

    @Test
    void cursorsGoThroughAllThatIsThere() {
        Map<String, String> all = new TreeMap<>();
        for (int i = 0; i < 2_000; i++) {
            all.put("name:" + i, "value");
        }
        String[] names = all.keySet().toArray(new String[0]);
        template.opsForValue().multiSet(all);
        template.opsForHash().putAll("h", all);
        template.opsForSet().add("s", names);
        ScanOptions options =
                ScanOptions.scanOptions().match("name:*").count(100).build();
        Set<Object> found = new HashSet<>();
        try (Cursor<String> keys = template.scan(options)) {
            keys.forEachRemaining(found::add);
        }
        assertThat(found).isEqualTo(all.keySet());
        found.clear();
        try (Cursor<Map.Entry<Object, Object>> fields = template.opsForHash().scan("h", options)) {
            fields.forEachRemaining(field -> found.add(field.getKey()));
        }
        assertThat(found).isEqualTo(all.keySet());
        found.clear();
        try (Cursor<String> members = template.opsForSet().scan("s", options)) {
            members.forEachRemaining(found::add);
        }
        assertThat(found).isEqualTo(all.keySet());
    }

    @Test
    void pipelinesAndTransactionsWork() {
        List<Object> piped = template.executePipelined(new SessionCallback<>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> Object execute(RedisOperations<K, V> operations) {
                StringRedisTemplate strings = (StringRedisTemplate) (RedisOperations<?, ?>) operations;
                for (int i = 0; i < 100; i++) {
                    strings.opsForValue().increment("n");
                }
                strings.opsForValue().get("none");
                return null;
            }
        });
        assertThat(piped).hasSize(101).startsWith(1L, 2L).endsWith(100L, (Object) null);
        AtomicInteger tries = new AtomicInteger();
        List<Object> result = null;
        while (result == null || result.isEmpty()) {
            result = template.execute(new SessionCallback<>() {
                @Override
                public <K, V> List<Object> execute(RedisOperations<K, V> operations) {
                    StringRedisTemplate strings = (StringRedisTemplate) (RedisOperations<?, ?>) operations;
                    strings.watch("n");
                    String before = strings.opsForValue().get("n");
                    if (tries.incrementAndGet() == 1) {
                        new StringRedisTemplate(connections).opsForValue().set("n", "200");
                    }
                    strings.multi();
                    strings.opsForValue().set("n", before + "0");
                    strings.opsForValue().get("n");
                    return strings.exec();
                }
            });
        }
        assertThat(tries).hasValue(2);
        assertThat(result).isEqualTo(List.of(true, "2000"));
    }

    @Test
    @SuppressWarnings("unchecked") // an array of generic offsets
    void streamsAreReadByGroups() {
        var streams = template.opsForStream();
        streams.add(StreamRecords.string(Map.of("f", "1")).withStreamKey("st"));
        streams.add(StreamRecords.string(Map.of("f", "2")).withStreamKey("st"));
        assertThat(streams.createGroup("st", ReadOffset.from("0"), "g")).isEqualTo("OK");
        List<MapRecord<String, Object, Object>> read = streams.read(
                Consumer.from("g", "me"),
                StreamReadOptions.empty().count(10).block(Duration.ofSeconds(1)),
                StreamOffset.create("st", ReadOffset.lastConsumed()));
        assertThat(read).extracting(record -> record.getValue().get("f")).containsExactly("1", "2");
        assertThat(streams.pending("st", "g").getTotalPendingMessages()).isEqualTo(2);
        assertThat(streams.acknowledge("g", read.getFirst())).isEqualTo(1);
        assertThat(streams.pending("st", "g", Range.unbounded(), 10)).hasSize(1);
        assertThat(streams.info("st").streamLength()).isEqualTo(2);
        assertThat(streams.groups("st").get(0).groupName()).isEqualTo("g");
        assertThat(streams.trim("st", 1)).isEqualTo(1);
    }

    @Test
    void cachesKeepWhatTheyAreGiven() throws Exception {
        // By default writes go on behind put() and evict(), which would make this test wait.
        for (RedisCacheWriter writer : List.of(
                RedisCacheWriter.create(connections, RedisCacheWriterConfigurer::immediateWrites),
                RedisCacheWriter.create(
                        connections, with -> with.immediateWrites().batchStrategy(BatchStrategies.scan(100))),
                RedisCacheWriter.create(
                        connections, with -> with.immediateWrites().enableLocking()))) {
            RedisCacheManager manager = RedisCacheManager.builder(writer)
                    .cacheDefaults(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(10)))
                    .enableStatistics()
                    .transactionAware()
                    .build();
            manager.afterPropertiesSet();
            Cache cache = manager.getCache("books");
            assertThat(cache.get("a", () -> "loaded")).isEqualTo("loaded");
            assertThat(cache.get("a", () -> "again")).isEqualTo("loaded");
            assertThat(template.getExpire("books::a")).isBetween(500L, 600L);
            assertThat(cache.putIfAbsent("a", "other").get()).isEqualTo("loaded");
            cache.put("none", null);
            assertThat(cache.get("none").get()).isNull();
            assertThat(cache.retrieve("a").get(60, TimeUnit.SECONDS)).isInstanceOf(Cache.ValueWrapper.class);
            cache.evict("a");
            assertThat(cache.get("a")).isNull();
            for (int i = 0; i < 500; i++) {
                cache.put(i, i);
            }
            assertThat(cache.invalidate()).isTrue();
            assertThat(template.keys("books*")).isEmpty();
        }
    }

    @Test
    void repositoriesFindByTheirIndexes() {
        RedisTemplate<Object, Object> objects = new RedisTemplate<>();
        objects.setConnectionFactory(connections);
        objects.afterPropertiesSet();
        RedisMappingContext mapping = new RedisMappingContext();
        RedisKeyValueAdapter adapter = new RedisKeyValueAdapter(objects, mapping);
        adapter.afterPropertiesSet();
        People people =
                new RedisRepositoryFactory(new RedisKeyValueTemplate(adapter, mapping)).getRepository(People.class);
        people.saveAll(List.of(
                new Person("1", "Ann", "Lee", List.of("x"), null),
                new Person("2", "Bob", "Lee", List.of("y", "z"), null),
                new Person("3", "Cid", "Ray", List.of(), 100L)));
        assertThat(people.findById("2")).contains(new Person("2", "Bob", "Lee", List.of("y", "z"), -1L));
        assertThat(people.findByLastName("Lee")).extracting(Person::id).containsExactlyInAnyOrder("1", "2");
        assertThat(people.findByLastNameAndFirstName("Lee", "Bob"))
                .extracting(Person::id)
                .containsExactly("2");
        assertThat(people.count()).isEqualTo(3);
        assertThat(template.getExpire("people:3")).isBetween(1L, 100L);
        people.save(new Person("1", "Ann", "Ray", List.of("x"), null));
        assertThat(people.findByLastName("Ray")).extracting(Person::id).containsExactlyInAnyOrder("1", "3");
        people.deleteById("1");
        assertThat(people.findByLastName("Ray")).extracting(Person::id).containsExactly("3");
        people.deleteAll();
        assertThat(template.keys("people*")).isEmpty();
    }

    @Test
    void listenersHearChannelsAndPatterns() throws Exception {
        List<CompletableFuture<String>> heard =
                new ArrayList<>(List.of(new CompletableFuture<>(), new CompletableFuture<>()));
        RedisMessageListenerContainer container = new RedisMessageListenerContainer();
        container.setConnectionFactory(connections);
        container.addMessageListener(
                (message, pattern) -> heard.get(0).complete(new String(message.getBody(), StandardCharsets.UTF_8)),
                ChannelTopic.of("news"));
        container.addMessageListener(
                (message, pattern) -> heard.get(1).complete(new String(message.getBody(), StandardCharsets.UTF_8)),
                PatternTopic.of("weather.*"));
        container.afterPropertiesSet();
        container.start();
        try {
            assertThat(template.convertAndSend("news", "one")).isEqualTo(1);
            assertThat(template.convertAndSend("weather.today", "rain")).isEqualTo(1);
            assertThat(Await.done(heard.get(0))).isEqualTo("one");
            assertThat(Await.done(heard.get(1))).isEqualTo("rain");
        } finally {
            container.destroy();
        }
    }

    @Test
    void scriptsAreRefused() {
        assertThatThrownBy(() -> template.execute(RedisScript.of("return 1", Long.class), List.of()))
                .isInstanceOf(DataAccessException.class)
                .hasStackTraceContaining("unknown command 'EVAL");
    }

    @Test
    void notificationsOfExpiredEntitiesAreRefused() throws Exception {
        RedisTemplate<Object, Object> objects = new RedisTemplate<>();
        objects.setConnectionFactory(connections);
        objects.afterPropertiesSet();
        RedisKeyValueAdapter adapter = new RedisKeyValueAdapter(objects, new RedisMappingContext());
        adapter.setEnableKeyspaceEvents(RedisKeyValueAdapter.EnableKeyspaceEvents.ON_STARTUP);
        adapter.setKeyspaceNotificationsConfigParameter("Ex");
        adapter.afterPropertiesSet();
        try {
            assertThatThrownBy(adapter::start).hasStackTraceContaining("there are no notifications");
        } finally {
            adapter.destroy();
        }
    }

    @RedisHash("people")
    record Person(
            @Id String id,
            @Indexed String firstName,
            @Indexed String lastName,
            List<String> tags,
            @TimeToLive @Nullable Long seconds) {}

    interface People extends KeyValueRepository<Person, String> {
        List<Person> findByLastName(String lastName);

        List<Person> findByLastNameAndFirstName(String lastName, String firstName);
    }
}
