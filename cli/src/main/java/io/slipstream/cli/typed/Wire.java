package io.slipstream.cli.typed;

import io.slipstream.cli.load.Tally;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** What a child process tells its parent, a line for each interval: seconds, counts, and the histogram. */
final class Wire {
    static final String INTERVAL = "interval";
    static final String END = "end";
    static final String FAILURE = "failure ";

    private Wire() {}

    static String line(String what, double seconds, Tally tally, Histogram latencies, long late, long outstanding) {
        ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(bytes);
        byte[] histogram = new byte[length];
        bytes.get(0, histogram);
        return String.join(
                " ",
                what,
                Double.toString(seconds),
                Long.toString(tally.offered()),
                Long.toString(tally.answered()),
                Long.toString(tally.busy()),
                Long.toString(tally.failed()),
                Long.toString(tally.trades()),
                Long.toString(late),
                Long.toString(outstanding),
                Base64.getEncoder().encodeToString(histogram));
    }

    /** A line that was read. */
    record Line(String what, double seconds, Tally tally, long late, long outstanding, Histogram latencies) {}

    static Line read(String line) throws IOException {
        String[] words = line.split(" ");
        try {
            Tally tally = new Tally(
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]),
                    Long.parseLong(words[6]));
            return new Line(
                    words[0],
                    Double.parseDouble(words[1]),
                    tally,
                    Long.parseLong(words[7]),
                    Long.parseLong(words[8]),
                    Histogram.decodeFromCompressedByteBuffer(
                            ByteBuffer.wrap(Base64.getDecoder().decode(words[9])), 0));
        } catch (RuntimeException | DataFormatException e) {
            throw new IOException("a process of the load has said: " + line, e);
        }
    }
}
