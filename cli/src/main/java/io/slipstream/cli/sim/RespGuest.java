package io.slipstream.cli.sim;

import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.sim.workload.Guest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client of the key-value store that speaks RESP, as Redis clients do. It pipelines, opens transactions, and waits
 * for lists. It knows what Redis would hold under keys of its own, and each answer must say so, in its turn. In a life
 * where each key may be evicted it has none of its own, and looks at the order of the answers alone.
 */
final class RespGuest implements Guest {
    private static final int SHARED_DATABASES = 2;
    private static final int DATABASES = 16;
    private static final int MOST_OPEN = 24;

    /* How often it says something besides its greeting. */
    private static final int MOST_SAID = 100;
    private static final int LONGEST_PIPELINE = 6;
    private static final String OK = "+OK\r\n";
    private static final String QUEUED = "+QUEUED\r\n";
    private static final String NOBODY = "*-1\r\n";

    /** What the service says when its machine has failed at a command. */
    private static final String FAILED_AT = "(log entry ";

    private final int number;
    private final int database;
    private final boolean evictsAll;
    private final RespReplies replies = new RespReplies();
    private final Deque<Waiting> open = new ArrayDeque<>();
    private OwnKeys own = new OwnKeys("");
    private String token = "";
    private boolean isGreeted;
    private boolean isRefused;
    private int left = MOST_SAID;
    private int renewed;

    /**
     * What an answer is awaited to.
     *
     * @param shown   the request, for messages
     * @param answers whether a reply is that answer; throws if it cannot be
     */
    private record Waiting(String shown, Answer answers) {}

    private interface Answer {
        void requires(String reply);
    }

    /**
     * Creates a guest.
     *
     * @param evictsAll whether keys that do not expire may be evicted in this life, too
     */
    RespGuest(int number, boolean evictsAll) {
        this.number = number;
        this.evictsAll = evictsAll;
        // Counted from the other end than those of clients, so that few have one together.
        this.database = DATABASES - 1 - number % (DATABASES - SHARED_DATABASES);
        renew();
    }

    @Override
    public void onConnect(String newToken) {
        token = newToken;
        isGreeted = false;
    }

    /** Says who it is, and where its keys are; again, if the service had no room for that. */
    private byte[] greet() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (!token.isEmpty()) {
            ask(bytes, unlessRefused(() -> OK), "AUTH", "default", token);
        }
        Answer selected = unlessRefused(() -> {
            isGreeted = true;
            return OK;
        });
        ask(bytes, selected, "SELECT", Integer.toString(database));
        return bytes.toByteArray();
    }

    @Override
    public byte @Nullable [] say(RandomGenerator random) {
        if (!isGreeted) {
            return open.isEmpty() && !isRefused ? greet() : null;
        }
        if (isRefused || left == 0 || open.size() >= MOST_OPEN || random.nextInt(8) > 0) {
            return null;
        }
        left--;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        switch (random.nextInt(5)) {
            case 0 -> transaction(bytes, random);
            case 1 -> {
                waitForList(bytes, random);
                command(bytes, random);
            }
            default -> {
                for (int i = 1 + random.nextInt(LONGEST_PIPELINE); i > 0; i--) {
                    command(bytes, random);
                }
            }
        }
        return bytes.toByteArray();
    }

    @Override
    public void hear(ByteBuffer bytes) {
        replies.add(bytes);
        String reply;
        while ((reply = replies.next()) != null && !isRefused) {
            Waiting next = open.poll();
            if (reply.startsWith("-ERR ") && !reply.contains(FAILED_AT)) {
                // The service says why it ends the connection, in which case nobody knows what became of the rest.
                isRefused = true;
                forget();
            } else if (next == null) {
                throw new IllegalStateException("nobody has asked for " + visible(reply));
            } else {
                try {
                    next.answers.requires(reply);
                } catch (IllegalStateException e) {
                    throw new IllegalStateException(
                            next.shown + " was answered with " + visible(reply) + ": " + e.getMessage());
                }
            }
        }
    }

    @Override
    public int open() {
        return open.size();
    }

    @Override
    public void onLost() {
        isRefused = false;
        replies.clear();
        forget();
    }

    @Override
    public void onLoss() {
        renew();
    }

    /** What has no answer may have been done, or not. */
    private void forget() {
        if (!open.isEmpty()) {
            open.clear();
            renew();
        }
    }

    private void renew() {
        own = new OwnKeys("guest" + number + "." + renewed++ + ".");
    }

    private void command(ByteArrayOutputStream bytes, RandomGenerator random) {
        if (evictsAll) {
            ask(bytes, reply -> {}, "SET", "key" + random.nextInt(6), Integer.toString(random.nextInt(1_000)));
            return;
        }
        RedisCommand command = OwnKeys.COMMANDS[random.nextInt(OwnKeys.COMMANDS.length)];
        OwnKeys of = own;
        List<String> words = of.words(command, random);
        ask(bytes, unlessRefused(() -> of.answer(command, words)), words(command, words));
    }

    private void transaction(ByteArrayOutputStream bytes, RandomGenerator random) {
        ask(bytes, exactly(OK), "MULTI");
        OwnKeys of = own;
        List<RedisCommand> commands = new ArrayList<>();
        List<List<String>> words = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            RedisCommand command = OwnKeys.COMMANDS[random.nextInt(OwnKeys.COMMANDS.length)];
            commands.add(command);
            words.add(of.words(command, random));
            ask(bytes, exactly(QUEUED), words(command, words.getLast()));
        }
        Answer answer = reply -> {
            if (!evictsAll && !isRefusal(reply)) {
                requireEach(reply, of, commands, words);
            }
        };
        ask(bytes, answer, "EXEC");
    }

    /** The store may have no memory for some of them, which were not done then. */
    private static void requireEach(String reply, OwnKeys of, List<RedisCommand> commands, List<List<String>> words) {
        RespReplies each = new RespReplies();
        each.add(ByteBuffer.wrap(reply.substring(reply.indexOf('\n') + 1).getBytes(StandardCharsets.UTF_8)));
        StringBuilder expected = new StringBuilder("*" + commands.size() + "\r\n");
        for (int i = 0; i < commands.size(); i++) {
            String one = each.next();
            expected.append(one != null && isRefusal(one) ? one : of.answer(commands.get(i), words.get(i)));
        }
        exactly(expected.toString()).requires(reply);
    }

    /** Nobody else pushes there: it has an element at once, or waits in vain. */
    private void waitForList(ByteArrayOutputStream bytes, RandomGenerator random) {
        OwnKeys of = own;
        List<String> words = of.words(RedisCommand.LPOP, random);
        Answer answer = evictsAll
                ? reply -> {}
                : unlessRefused(() -> {
                    String element = of.answer(RedisCommand.LPOP, words);
                    String key = words.getFirst();
                    return element.startsWith("$-1")
                            ? NOBODY
                            : "*2\r\n$" + key.length() + "\r\n" + key + "\r\n" + element;
                });
        ask(bytes, answer, "BLPOP", words.getFirst(), "0.05");
    }

    /** What is refused was not done. */
    private static Answer unlessRefused(Supplier<String> expected) {
        return reply -> {
            if (!isRefusal(reply)) {
                exactly(expected.get()).requires(reply);
            }
        };
    }

    private static boolean isRefusal(String reply) {
        return reply.startsWith("-BUSY ") || reply.startsWith("-OOM ");
    }

    private static Answer exactly(String expected) {
        return reply -> {
            if (!reply.equals(expected)) {
                throw new IllegalStateException("Redis would have answered " + visible(expected));
            }
        };
    }

    private static String[] words(RedisCommand command, List<String> words) {
        List<String> all = new ArrayList<>();
        all.add(command.text());
        all.addAll(words);
        return all.toArray(String[]::new);
    }

    private void ask(ByteArrayOutputStream bytes, Answer answer, String... words) {
        bytes.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (String word : words) {
            byte[] text = word.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(("$" + text.length + "\r\n").getBytes(StandardCharsets.UTF_8));
            bytes.writeBytes(text);
            bytes.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        open.add(new Waiting(String.join(" ", words), answer));
    }

    private static String visible(String reply) {
        return '"' + reply.strip().replace("\r\n", "|") + '"';
    }
}
