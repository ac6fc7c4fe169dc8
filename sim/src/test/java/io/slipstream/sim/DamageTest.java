package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every truncation, every run of lost sectors, and bits flipped all over a small journal: three batches of records that
 * are 30, 61, 92, ... bytes long, the last batch with no evidence that it was durable.
 */
class DamageTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";
    private static final int FIRST_BATCHES = 6;
    private static final int ALL = 16;
    private static final int HEADER_BYTES = 4096;
    private static final int SMALLEST_RECORDS = 2;
    private static final JournalConfig SMALLEST = JournalConfig.at(Durability.SYNC)
            .withSegmentBytes(20 << 10)
            .withBatchBytes(4096)
            .withPreparedSegments(1)
            .withPrepareInBackground(false);

    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"PROCESS", "SYNC"})
    void findsAnExactPrefixAfterTruncationAtEveryByteOfTheLastBatch(Durability durability) throws Exception {
        byte[] image = crashed(durability);
        int start = lastBatch(durability, image);
        for (int size = start; size < dataEnd(image); size++) {
            assertThat(recover(durability, Arrays.copyOf(image, size)))
                    .as("size %d", size)
                    .isBetween(FIRST_BATCHES, ALL - 1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"PROCESS", "SYNC"})
    void findsAnExactPrefixWhicheverSectorsOfTheLastBatchWereNeverWritten(Durability durability) throws Exception {
        byte[] image = crashed(durability);
        int start = lastBatch(durability, image);
        for (int sector : new int[] {512, 4096}) {
            for (int from = start / sector * sector; from < dataEnd(image); from += sector) {
                for (int to = from + sector; to < dataEnd(image) + sector; to += sector) {
                    byte[] torn = image.clone();
                    Arrays.fill(torn, Math.max(from, start), to, (byte) 0);
                    assertThat(recover(durability, torn))
                            .as("%d to %d", from, to)
                            .isBetween(FIRST_BATCHES, ALL - 1);
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
        for (int bit = 0; bit < end * 8; bit += 127) {
            byte[] flipped = image.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            expectRefusalOrPrefix(flipped, "bit " + bit % 8 + " of byte " + bit / 8);
        }
    }

    /** The header and all frames of the smallest journal, and bits here and there in the zeros between them. */
    @Test
    void findsEveryFlippedBitOfTheSmallestJournal() throws Exception {
        byte[] image = smallest();
        int end = dataEnd(image);
        for (int bit = 0; bit < end * 8; bit += isPadding(image, bit / 8) ? 61 : 1) {
            image[bit / 8] ^= (byte) (1 << bit % 8);
            try (Journal journal = open(image, SMALLEST)) {
                assertThat(journal.recovery().cut()).as("bit %d", bit).isNotNull();
                assertThat(countSmallest(journal)).as("bit %d", bit).isEqualTo(SMALLEST_RECORDS - 1);
            } catch (JournalCorruptException | JournalVersionException e) {
                assertThat(e.getMessage()).as("bit %d", bit).contains(SEGMENT);
            }
            image[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    /**
     * A shorter file has lost what says how much was durable, so any prefix will do, but nothing else than a prefix.
     */
    @Test
    void findsAPrefixOrRefusesAfterTruncationOfTheSmallestJournalAtEveryByte() throws Exception {
        byte[] image = smallest();
        int last = 0;
        for (int size = 0; size < dataEnd(image); size++) {
            int found = 0;
            try (Journal journal = open(Arrays.copyOf(image, size), SMALLEST)) {
                found = countSmallest(journal);
                assertThat(size).isGreaterThanOrEqualTo(HEADER_BYTES);
                assertThat(journal.recovery().missingBytes()).isEqualTo(image.length - size);
            } catch (JournalCorruptException e) {
                assertThat(size).isLessThan(HEADER_BYTES);
                assertThat(e.getMessage()).contains(SEGMENT);
            }
            assertThat(found).as("size %d", size).isBetween(last, SMALLEST_RECORDS);
            last = found;
        }
        assertThat(last).isGreaterThanOrEqualTo(SMALLEST_RECORDS - 1);
    }

    private static boolean isPadding(byte[] image, int at) {
        return at >= HEADER_BYTES
                && Arrays.equals(
                        image,
                        Math.max(HEADER_BYTES, at - 64),
                        Math.min(image.length, at + 64),
                        new byte[image.length],
                        Math.max(HEADER_BYTES, at - 64),
                        Math.min(image.length, at + 64));
    }

    /** A header, a mark, and two batches of a record each, in a block of its own each. */
    private static byte[] smallest() throws JournalException {
        SimulatedDisk disk = new SimulatedDisk();
        Journal journal = Journal.open(new SimulatedStorage(disk, new SplittableRandom(1)), SMALLEST);
        MemorySegment memory = Arena.ofAuto().allocate(48, Frame.ALIGNMENT);
        for (int i = 1; i <= SMALLEST_RECORDS; i++) {
            memory.fill((byte) i);
            JournalRecord.header(memory, 0, JournalRecord.HEADER_BYTES + 16, (short) 1, (byte) 1, (byte) 0);
            journal.append(memory, 0, 48);
            journal.commit();
        }
        return disk.content(SEGMENT);
    }

    private static int countSmallest(Journal journal) throws JournalException {
        int[] count = {0};
        journal.read(1, (memory, offset, length) -> {
            byte value = (byte) ++count[0];
            assertThat(length).isEqualTo(JournalRecord.HEADER_BYTES + 16);
            for (int i = JournalRecord.HEADER_BYTES; i < length; i++) {
                assertThat(memory.get(ValueLayout.JAVA_BYTE, offset + i)).isEqualTo(value);
            }
        });
        return count[0];
    }

    @Test
    void losesNothingDurableByAFlippedBitOfACleanlyClosedJournal() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        write(disk, Durability.SYNC).close();
        byte[] image = disk.content(SEGMENT);
        for (int bit = 0; bit < dataEnd(image) * 8; bit += 127) {
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

    /**
     * Damage is refused, or cut if nothing that had been written before the last batch is lost; it is never overlooked.
     */
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
            byte[] bytes = memory.asSlice(offset + JournalRecord.HEADER_BYTES, length - JournalRecord.HEADER_BYTES)
                    .toArray(ValueLayout.JAVA_BYTE);
            for (byte value : bytes) {
                assertThat(value).isEqualTo((byte) lengths.size());
            }
            assertThat(length).isEqualTo(lengthOf(lengths.size()));
        });
        return lengths.size();
    }

    private static Journal open(byte[] image, Durability durability) throws JournalException {
        return open(image, config(durability));
    }

    private static Journal open(byte[] image, JournalConfig config) throws JournalException {
        SimulatedDisk disk = new SimulatedDisk();
        disk.put(SEGMENT, image);
        return Journal.open(new SimulatedStorage(disk, new SplittableRandom(1)), config);
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
            JournalRecord.header(memory, 0, lengthOf(i), (short) 1, (byte) 1, (byte) 0);
            journal.append(memory, 0, Frame.align(lengthOf(i)));
            if (i == FIRST_BATCHES / 2 || i == FIRST_BATCHES || i == ALL) {
                journal.commit();
            }
        }
        return journal;
    }

    private static int lengthOf(int sequence) {
        return JournalRecord.HEADER_BYTES + 31 * sequence - 25;
    }

    private static JournalConfig config(Durability durability) {
        return JournalConfig.at(durability).withSegmentBytes(48 << 10).withPrepareInBackground(false);
    }

    /** Returns where the record behind the first batches, or at SYNC the mark before it, begins. */
    private static int lastBatch(Durability durability, byte[] image) {
        for (int at = 4096; at < image.length; at += Frame.ALIGNMENT) {
            if (image[at + JournalRecord.SEQUENCE_OFFSET] == FIRST_BATCHES + 1
                    && image[at + JournalRecord.TYPE_OFFSET] == 1
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
