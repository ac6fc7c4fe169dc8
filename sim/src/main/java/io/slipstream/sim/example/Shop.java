package io.slipstream.sim.example;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A small service that uses all that a machine may use: replies, events, rejections, topics, timers, chance. */
public class Shop implements StateMachine {
    /** The topic of what was sold, and of what was announced. */
    public static final long NEWS = 1;

    private static final long OFFER_NANOS = 200_000_000;

    private final TreeMap<Long, Long> stock = new TreeMap<>();
    private final int version;
    private boolean isGenerous;
    private long sold;
    private long total;
    private long customers;

    /** Creates an empty shop. */
    public Shop() {
        this(0);
    }

    /** Creates an empty shop of a version; from 1 on, one more of each delivery is given away. */
    public Shop(int version) {
        this.version = version;
    }

    /** Makes up what a customer says: what it is about, and how many. */
    public static byte[] random(RandomGenerator random) {
        byte[] payload = new byte[2 + random.nextInt(random.nextInt(20) == 0 ? 500 : 20)];
        payload[0] = (byte) random.nextInt(6);
        payload[1] = (byte) random.nextInt(8);
        return payload;
    }

    @Override
    public void onCommand(Request command, Output output) {
        byte[] payload = command.payload();
        long article = payload[1];
        switch (payload[0]) {
            case 0, 1 -> {
                long count = (isGenerous ? 2 : 1) + output.random().nextInt(10);
                stock.merge(article, count, Long::sum);
                total += count;
                output.reply(new byte[] {(byte) count, payload[1]});
            }
            case 2, 3 -> {
                if (stock.getOrDefault(article, 0L) == 0) {
                    output.reject("sold out");
                    return;
                }
                stock.merge(article, -1L, Long::sum);
                sold++;
                output.publish(NEWS, payload);
                output.event(command.session(), payload);
                output.reply(payload);
            }
            case 4 -> output.schedule(article, output.timeNanos() + OFFER_NANOS * (1 + article));
            default -> throw new IllegalStateException("nobody understands " + payload[0]);
        }
    }

    @Override
    public void onTimer(long timer, Output output) {
        output.publish(NEWS, new byte[] {(byte) timer});
        stock.merge(timer, 1L, Long::sum);
        total++;
    }

    @Override
    public void onSessionOpen(long session, String principal, Output output) {
        customers++;
    }

    @Override
    public void onSessionClose(long session, Output output) {
        customers--;
        output.publish(NEWS, new byte[] {(byte) customers});
    }

    @Override
    public void onUpgrade(int formerVersion, Output output) {
        isGenerous = true;
    }

    @Override
    public void onSubscribe(long topic, Request command, Output output) {
        output.publish(topic, new byte[] {(byte) stock.size()});
    }

    /**
     * Requires that what is there and what was sold is all that ever came.
     *
     * @throws IllegalStateException if it is not
     */
    public void requireBalance() {
        long counted = sold + stock.values().stream().mapToLong(Long::longValue).sum();
        if (counted != total) {
            throw new IllegalStateException(counted + " were counted, and " + total + " came");
        }
    }

    @Override
    public long stateHash() {
        long hash = isGenerous ? ~sold : sold;
        for (var entry : stock.entrySet()) {
            hash = hash * 31 + entry.getKey();
            hash = hash * 31 + entry.getValue();
        }
        return hash * 31 + customers;
    }

    /** Each version writes its state in another format, as those of most services do. */
    @Override
    public void save(StateOutput output) {
        if (version > 0) {
            output.writeInt(version);
        }
        output.writeBoolean(isGenerous);
        output.writeLong(sold);
        output.writeLong(total);
        output.writeLong(customers);
        output.writeInt(stock.size());
        stock.forEach((article, count) -> {
            output.writeLong(article);
            output.writeLong(count);
        });
    }

    @Override
    public void load(StateInput input, int savedBy) {
        if (savedBy > 0 && input.readInt() != savedBy) {
            throw new StateFormatException("this is not the state of version " + savedBy + " of a shop");
        }
        isGenerous = input.readBoolean();
        sold = input.readLong();
        total = input.readLong();
        customers = input.readLong();
        for (int i = input.readInt(); i > 0; i--) {
            stock.put(input.readLong(), input.readLong());
        }
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public String name() {
        return "shop";
    }
}
