package io.slipstream.cli.typed;

import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command or a query as JSON with places to fill in: <code>{{n}}</code> is the number of the command, which no other
 * command of the load has, and <code>{{1..1000}}</code> a random number, both ends included.
 */
final class CommandTemplate {
    private static final Pattern PLACE =
            Pattern.compile("\\{\\{\\s*(?:(n)|(-?\\d{1,18})\\s*\\.\\.\\s*(-?\\d{1,18}))\\s*}}");

    private final Operation<?, ?> operation;
    private final List<Part> parts = new ArrayList<>();

    /** Text, or a place if that is null. */
    private record Part(String text, boolean isNumber, long least, long greatest) {}

    private CommandTemplate(Operation<?, ?> operation, String json) {
        this.operation = operation;
        Matcher place = PLACE.matcher(json);
        int from = 0;
        while (place.find()) {
            parts.add(new Part(json.substring(from, place.start()), false, 0, -1));
            boolean isNumber = place.group(1) != null;
            long least = isNumber ? 0 : Long.parseLong(place.group(2));
            long greatest = isNumber ? 0 : Long.parseLong(place.group(3));
            if (greatest < least) {
                throw new IllegalArgumentException(place.group() + " begins above its end");
            }
            parts.add(new Part("", isNumber, least, greatest));
            from = place.end();
        }
        parts.add(new Part(json.substring(from), false, 0, -1));
    }

    /**
     * Reads {@code NAME JSON}, such as <code>Deposit {"account":{{1..1000}},"amount":1}</code>.
     *
     * @throws IllegalArgumentException if the contract has no such operation, or the JSON does not fit it
     */
    static CommandTemplate of(Contract contract, String text) {
        String trimmed = text.strip();
        int space = trimmed.indexOf(' ');
        String name = space < 0 ? trimmed : trimmed.substring(0, space);
        CommandTemplate template =
                new CommandTemplate(contract.operation(name), space < 0 ? "{}" : trimmed.substring(space + 1));
        try {
            template.payload(1, new SplittableRandom(1));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("--command " + text + ": " + e.getMessage(), e);
        }
        return template;
    }

    boolean isQuery() {
        return operation.kind() == Operation.Kind.QUERY;
    }

    /** Returns whether each payload has a number of its own, and so has to be made when it is sent. */
    boolean isNumbered() {
        return parts.stream().anyMatch(Part::isNumber);
    }

    byte[] payload(long number, SplittableRandom random) {
        StringBuilder json = new StringBuilder();
        for (Part part : parts) {
            if (part.isNumber) {
                json.append(number);
            } else if (part.greatest >= part.least) {
                json.append(part.least == part.greatest ? part.least : random.nextLong(part.least, part.greatest + 1));
            } else {
                json.append(part.text);
            }
        }
        return operation.fromJson(json.toString());
    }
}
