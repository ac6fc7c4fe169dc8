package io.slipstream.ticks;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says.
 *
 * @param trades how many to generate
 * @param folder where they are kept; null for a temporary folder
 * @param symbol whose trades are exported
 */
record Options(long trades, @Nullable Path folder, String symbol) {
    static final String USAGE = "usage: examples/ticks/run [--trades N | --day] [--folder FOLDER] [--symbol NAME]\n"
            + "  --trades N   how many trades to generate: 2000000 unless given\n"
            + "  --day        a day of a hundred million trades: about 7 GB of disk\n"
            + "  --folder F   keep them there; if they are there already, they are opened and queried\n"
            + "  --symbol S   whose trades are exported: " + Market.SYMBOLS;
    private static final long DAY = 100_000_000;

    static Options parse(String... args) {
        long trades = 2_000_000;
        Path folder = null;
        String symbol = Market.SYMBOLS.getFirst();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--day" -> trades = DAY;
                case "--trades" -> trades = positive(value(args, ++i));
                case "--folder" -> folder = Path.of(value(args, ++i));
                case "--symbol" -> symbol = value(args, ++i);
                default -> throw new IllegalArgumentException("there is no option '" + args[i] + "'\n" + USAGE);
            }
        }
        return new Options(trades, folder, symbol);
    }

    private static String value(String[] args, int i) {
        if (i >= args.length) {
            throw new IllegalArgumentException(args[i - 1] + " needs a value\n" + USAGE);
        }
        return args[i];
    }

    private static long positive(String text) {
        try {
            long number = Long.parseLong(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("--trades needs a whole number from 1 on, not '" + text + "'\n" + USAGE);
    }
}
