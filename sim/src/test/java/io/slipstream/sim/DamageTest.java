package io.slipstream.sim;

import io.slipstream.core.ring.Frame;
import io.slipstream.journal.Durability;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalConfig;
import io.slipstream.journal.JournalCorruptException;
import io.slipstream.journal.JournalException;
import io.slipstream.journal.JournalVersionException;
import io.slipstream.journal.Record;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every truncation, every run of lost sectors, and bits flipped all over a small journal: three batches of records that are
 * 30, 61, 92, ... bytes long, the last batch with no evidence that it was durable.
 */
@Timeout(60)
class DamageTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";
    private static final int FIRST_BATCHES = 6;
    private static final int ALL = 16;

    @ParameterizedTest
    @EnumSource(value = Durability.class, names = {"PROCESS", "SYNC"})
    void findsAnExactPrefixAfterTruncationAtEveryByteOfTheLastBatch(Durability durability) throws Exception {
        byte[] image = crashed(durability);
        int start = lastBatch(durability, image);
        for (int size = start; size < dataEnd(image); size++) {
            assertThat(recover(durability, Arrays.copyOf(image, size))).as("size %d", size)
                    .isBetween(FIRST_BATCHES, ALL - 1);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Durability.class, names = {"PROCESS", "SYNC"})
    void findsAnExactPrefixWhicheverSectorsOfTheLastBatchWereNeverWritten(Durability durability) throws Exception {
        byte[] image = crashed(durability);
        int start = lastBatch(durability, image);
        for (int sector : new int[] {512, 4096}) {
            for (int from = start / sector * sector; from < dataEnd(image); from += sector) {
                for (int to = from + sector; to < dataEnd(image) + sector; to += sector) {
                    byte[] torn = image.clone();
                    Arrays.fill(torn, Math.max(from, start), to, (byte) 0);
                    assertThat(recover(durability, torn)).as("%d to %d", from, to).isBetween(FIRST_BATCHES, ALL - 1);
                }
            }
        }
    }

    @Test
    void neverReadsASectorFullOfGarbage() throws Exception {
        byte[] image = crashed(Durability.SYNC);
        SplittableRandom random = new SplittableRandom(1);
        for (int sector : new int[] {512, 4096}) {
            for (int from = 0; from < dataEnd(image); from += sector) {
                byte[] garbage = image.clone();
                byte[] noise = new byte[sector];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, garbage, from, sector);
                expectRefusalOrPrefix(garbage, "sector at " + from);
            }
        }
    }

    @Test
    void findsFlippedBitsWhereverTheyAre() throws Exception {
        byte[] image = crashed(Durability.SYNC);
        int end = dataEnd(image) + 4096;
        for (int bit = 0; bit < end * 8; bit += 61) {
            byte[] flipped = image.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            expectRefusalOrPrefix(flipped, "bit " + bit % 8 + " of byte " + bit / 8);
        }
    }

    @Test
    void losesNothingDurableByAFlippedBitOfACleanlyClosedJournal() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        write(disk, Durability.SYNC).close();
        byte[] image = disk.content(SEGMENT);
        for (int bit = 0; bit < dataEnd(image) * 8; bit += 61) {
            byte[] flipped = image.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            try (Journal journal = open(flipped, Durability.SYNC)) {
                assertThat(journal.nextSequence() - 1).as("bit %d", bit).isEqualTo(ALL);
                assertThat(journal.recovery().cut()).isNotNull();
            } catch (JournalCorruptException | JournalVersionException e) {
                assertThat(e.getMessage()).contains(SEGMENT);
            }
        }
    }

    /** Damage is refused, or cut if nothing that had been written before the last batch is lost; it is never overlooked. */
    private static void expectRefusalOrPrefix(byte[] image, String what) throws JournalException {
        try (Journal journal = open(image, Durability.SYNC)) {
            assertThat(journal.recovery().cut()).as(what).isNotNull();
            assertThat(check(journal)).as(what).isGreaterThanOrEqualTo(FIRST_BATCHES);
        } catch (JournalCorruptException | JournalVersionException e) {
            assertThat(e.getMessage()).as(what).contains(SEGMENT);
        }
    }

    private static int recover(Durability durability, byte[] image) throws JournalException {
        try (Journal journal = open(image, durability)) {
            return check(journal);
        }
    }

    private static int check(Journal journal) throws JournalException {
        List<Integer> lengths = new ArrayList<>();
        journal.read(1, (memory, offset, length) -> {
            lengths.add(length);
            byte[] bytes = memory.asSlice(offset + Record.HEADER_BYTES, length - Record.HEADER_BYTES)
                    .toArray(ValueLayout.JAVA_BYTE);
            for (byte value : bytes) {
                assertThat(value).isEqualTo((byte) lengths.size());
            }
            assertThat(length).isEqualTo(lengthOf(lengths.size()));
        });
        return lengths.size();
    }

    private static Journal open(byte[] image, Durability durability) throws JournalException {
        SimulatedDisk disk = new SimulatedDisk();
        disk.put(SEGMENT, image);
        return Journal.open(new SimulatedStorage(disk, new SplittableRandom(1)), config(durability));
    }

    private static byte[] crashed(Durability durability) throws JournalException {
        SimulatedDisk disk = new SimulatedDisk();
        write(disk, durability);
        return disk.content(SEGMENT);
    }

    private static Journal write(SimulatedDisk disk, Durability durability) throws JournalException {
        Journal journal = Journal.open(new SimulatedStorage(disk, new SplittableRandom(1)), config(durability));
        MemorySegment memory = Arena.ofAuto().allocate(1024, Frame.ALIGNMENT);
        for (int i = 1; i <= ALL; i++) {
            memory.fill((byte) i);
            Record.header(memory, 0, lengthOf(i), (short) 1, (byte) 1, (byte) 0);
            journal.append(memory, 0, Frame.align(lengthOf(i)));
            if (i == FIRST_BATCHES / 2 || i == FIRST_BATCHES || i == ALL) {
                journal.commit();
            }
        }
        return journal;
    }

    private static int lengthOf(int sequence) {
        return Record.HEADER_BYTES + 31 * sequence - 25;
    }

    private static JournalConfig config(Durability durability) {
        return JournalConfig.at(durability).withSegmentBytes(48 << 10).withPrepareInBackground(false);
    }

    /** Returns where the record behind the first batches, or at SYNC the mark before it, begins. */
    private static int lastBatch(Durability durability, byte[] image) {
        for (int at = 4096; at < image.length; at += Frame.ALIGNMENT) {
            if (image[at + Record.SEQUENCE_OFFSET] == FIRST_BATCHES + 1 && image[at + Record.TYPE_OFFSET] == 1
                    && (image[at] & 0xFF) == lengthOf(FIRST_BATCHES + 1)) {
                return durability == Durability.SYNC ? at - 48 : at;
            }
        }
        throw new AssertionError("no such record");
    }

    private static int dataEnd(byte[] image) {
        int end = image.length;
        while (image[end - 1] == 0) {
            end--;
        }
        return end;
    }
}
