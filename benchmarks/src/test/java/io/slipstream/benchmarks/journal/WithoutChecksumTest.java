package io.slipstream.benchmarks.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WithoutChecksumTest {
    private static final String JOURNAL_PACKAGE = "io.slipstream.journal.";
    private static final int PAYLOAD_BYTES = 100;
    private static final int FIRST_RECORD = 4096 + 48;

    @Test
    void removesEveryChecksumThatIsTakenWhileAppending() throws Exception {
        for (String name : WithoutChecksum.CHANGED) {
            byte[] original = WithoutChecksum.original(name);
            assertThat(updates(original)).as(name).isPositive();
            assertThat(updates(WithoutChecksum.withoutChecksum(original)))
                    .as(name)
                    .isZero();
        }
    }

    @Test
    void knowsAllClassesThatComputeChecksums() throws Exception {
        Set<String> others =
                Set.of("segment.RunCheck", "format.SegmentHeader", "segment.SegmentIndex", "format.PositionFile");
        Set<String> computing = new HashSet<>();
        Path compiled = Path.of(Journal.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (var jar = Files.isDirectory(compiled) ? null : FileSystems.newFileSystem(compiled);
                var files = Files.walk(jar == null ? compiled : jar.getPath("/"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                byte[] code = Files.readAllBytes(file);
                ClassModel model = ClassFile.of().parse(code);
                if (!model.thisClass().asInternalName().equals("module-info") && mentionsChecksum(model)) {
                    computing.add(model.thisClass().asInternalName().replace('/', '.'));
                }
            }
        }
        Set<String> known = new HashSet<>(WithoutChecksum.CHANGED);
        others.forEach(name -> known.add(JOURNAL_PACKAGE + name));
        assertThat(computing).isEqualTo(known);
    }

    @Test
    void computesNoneWhereTheyAreRemovedAndOneForEachRecordElsewhere(@TempDir Path folder) throws Exception {
        assertThat(differenceOfChecksums(folder.resolve("with"), OurJournal.class))
                .isNotZero();
        assertThat(differenceOfChecksums(
                        folder.resolve("without"), new WithoutChecksum().loadClass(OurJournal.class.getName())))
                .isZero();
        try (Journal journal = Journal.open(folder.resolve("with"), JournalConfig.at(Durability.PROCESS))) {
            assertThat(journal.nextSequence()).isEqualTo(11);
        }
        assertThatExceptionOfType(JournalCorruptException.class)
                .isThrownBy(() -> Journal.open(folder.resolve("without"), JournalConfig.at(Durability.PROCESS))
                        .close());
    }

    @Test
    void bothReadBackWhatTheyHaveWritten() throws Exception {
        ChecksumPriceContest contest = new ChecksumPriceContest(PAYLOAD_BYTES, 10_000, 64);
        assertThat(contest.ours()).isPositive();
        assertThat(contest.peer()).isPositive();
    }

    /**
     * Appends ten records with the journal that {@code ourJournal} works with, and returns in which bits the checksums
     * of the first two differ: in none if no bytes were taken into account, as both are of one length and in one file.
     */
    private static int differenceOfChecksums(Path folder, Class<?> ourJournal) throws Exception {
        Files.createDirectory(folder);
        ClassLoader loader = ourJournal.getClassLoader();
        Class<?> config = loader.loadClass(JournalConfig.class.getName());
        Class<?> durability = loader.loadClass(Durability.class.getName());
        Object process = config.getMethod("at", durability)
                .invoke(null, durability.getField("PROCESS").get(null));
        var append = ourJournal.getDeclaredMethod("append", Path.class, config, int.class, int.class, int.class);
        append.setAccessible(true);
        append.invoke(null, folder, process, PAYLOAD_BYTES, 10, 10);
        byte[] file = Files.readAllBytes(folder.resolve("segment-0000000000000001.journal"));
        ByteBuffer words = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(words.getInt(FIRST_RECORD + Frame.LENGTH_OFFSET)).isEqualTo(24 + PAYLOAD_BYTES);
        int second = FIRST_RECORD + Frame.align(24 + PAYLOAD_BYTES);
        assertThat(words.getInt(second + Frame.LENGTH_OFFSET)).isEqualTo(24 + PAYLOAD_BYTES);
        return words.getInt(FIRST_RECORD + Frame.TAG_OFFSET) ^ words.getInt(second + Frame.TAG_OFFSET);
    }

    private static boolean mentionsChecksum(ClassModel model) {
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry type && type.asInternalName().equals("java/util/zip/CRC32C")) {
                return true;
            }
        }
        return false;
    }

    private static long updates(byte[] code) {
        return ClassFile.of().parse(code).methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(body -> body.elementStream())
                .filter(WithoutChecksum::updatesChecksum)
                .count();
    }
}
