package io.slipstream.sim.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DamageTest {
    private static final String FILE = "file";
    private static final String OTHER = "other";

    private final SplittableRandom random = new SplittableRandom(1);
    private final SimulatedDisk disk = new SimulatedDisk();

    @ParameterizedTest
    @EnumSource
    void isInOneSectorAndCanBeMended(Damage.Kind kind) {
        byte[] content = bytes(3 * Inode.SECTOR + 100);
        disk.put(FILE, content);
        disk.put(OTHER, bytes(Inode.SECTOR));

        Damage damage = Objects.requireNonNull(Damage.in(disk, kind, FILE::equals, random));

        byte[] damaged = disk.content(FILE);
        int first = Arrays.mismatch(content, damaged);
        int sector = first / Inode.SECTOR * Inode.SECTOR;
        int end = Math.min(sector + Inode.SECTOR, content.length);
        assertThat(first).isNotNegative();
        assertThat(Arrays.mismatch(damaged, end, damaged.length, content, end, content.length))
                .isNegative();
        assertThat(damage)
                .hasToString(kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " at " + sector + " of file");
        assertThat(damage.mend(disk)).isTrue();
        assertThat(disk.content(FILE)).isEqualTo(content);
    }

    @ParameterizedTest
    @EnumSource
    void isGoneWhereOthersWereWritten(Damage.Kind kind) {
        disk.put(FILE, bytes(Inode.SECTOR));
        disk.put(OTHER, bytes(Inode.SECTOR));
        Damage damage = Objects.requireNonNull(Damage.in(disk, kind, FILE::equals, random));
        byte[] written = bytes(Inode.SECTOR);
        disk.put(FILE, written);

        assertThat(damage.mend(disk)).isFalse();
        assertThat(disk.content(FILE)).isEqualTo(written);
    }

    @ParameterizedTest
    @EnumSource
    void findsNoPlaceWhereAllIsZero(Damage.Kind kind) {
        disk.put(FILE, new byte[Inode.SECTOR]);

        assertThat(Damage.in(disk, kind, FILE::equals, random)).isNull();
        assertThat(Damage.in(disk, kind, OTHER::equals, random)).isNull();
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
