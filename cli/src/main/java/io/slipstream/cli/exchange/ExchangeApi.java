package io.slipstream.cli.exchange;

import io.slipstream.data.codec.Codec;
import io.slipstream.exchange.client.Answers;
import io.slipstream.exchange.client.Depth;
import io.slipstream.exchange.client.QueryRejectedException;
import io.slipstream.exchange.client.RecentTrades;
import io.slipstream.exchange.client.TopOfBook;
import io.slipstream.exchange.wire.CancelCommand;
import io.slipstream.exchange.wire.CommandReply;
import io.slipstream.exchange.wire.DepthQuery;
import io.slipstream.exchange.wire.PlaceCommand;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.ReplaceCommand;
import io.slipstream.exchange.wire.TopOfBookQuery;
import io.slipstream.exchange.wire.TradesQuery;
import io.slipstream.http.api.Api;
import io.slipstream.http.api.ApiOperation;
import io.slipstream.http.api.ApiPage;
import io.slipstream.service.client.Reply;
import io.slipstream.service.typed.Operation.Kind;
import io.slipstream.service.typed.RejectedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an exchange offers by HTTP: its orders, its books, and a page that shows them. */
final class ExchangeApi {
    private ExchangeApi() {}

    static Api create() {
        return new Api(
                        "exchange",
                        List.of(
                                command("Place", PlaceCommand.CODEC),
                                command("Cancel", CancelCommand.CODEC),
                                command("Replace", ReplaceCommand.CODEC),
                                query(TopOf.class, TopOfBook.class, TopOf::toBytes, Answers::topOfBook),
                                query(DepthOf.class, Depth.class, DepthOf::toBytes, Answers::depth),
                                query(TradesOf.class, RecentTrades.class, TradesOf::toBytes, Answers::recentTrades)),
                        null)
                .withPage(
                        new ApiPage("Order book", Map.of("book.html", file("book.html"), "book.js", file("book.js"))));
    }

    private static ApiOperation command(String name, Codec<?> codec) {
        return ApiOperation.of(Kind.COMMAND, name, codec, CommandReply.CODEC, ExchangeApi::refusal);
    }

    private static @Nullable String refusal(CommandReply reply) {
        return reply.rejection() == Rejection.NONE ? null : reply.rejection().name();
    }

    private static <C, R> ApiOperation query(
            Class<C> request, Class<R> answer, Function<C, byte[]> encode, Function<Reply, R> decode) {
        return ApiOperation.mapped(Kind.QUERY, request, answer, encode, reply -> {
            try {
                return decode.apply(reply);
            } catch (QueryRejectedException e) {
                throw new RejectedException(e.rejection().name());
            }
        });
    }

    private static byte[] file(String name) {
        try (InputStream in = ExchangeApi.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing in the module io.slipstream.cli");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks for the best bid and ask. */
    record TopOf(int instrument) {
        private byte[] toBytes() {
            byte[] query = new byte[TopOfBookQuery.BYTES];
            TopOfBookQuery.encode(MemorySegment.ofArray(query), 0, instrument);
            return query;
        }
    }

    /** Asks for the best price levels of both sides. */
    record DepthOf(int instrument, int levels) {
        DepthOf {
            require("levels", levels, DepthQuery.MAX_LEVELS);
        }

        private byte[] toBytes() {
            byte[] query = new byte[DepthQuery.BYTES];
            DepthQuery.encode(MemorySegment.ofArray(query), 0, instrument, levels);
            return query;
        }
    }

    /** Asks for the newest trades, up to that many, that came after the one with that number. */
    record TradesOf(int instrument, int trades, long after) {
        TradesOf {
            require("trades", trades, TradesQuery.MAX_TRADES);
        }

        private byte[] toBytes() {
            byte[] query = new byte[TradesQuery.BYTES];
            TradesQuery.encode(MemorySegment.ofArray(query), 0, instrument, trades, after);
            return query;
        }
    }

    private static void require(String field, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(field + " is 1 to " + most + ", not " + value);
        }
    }
}
