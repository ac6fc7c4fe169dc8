package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public method that takes a count, a size or a limit works with the extremes, or refuses them in words that say
 * the number: none overflows, fails somewhere inside, or takes memory without end.
 */
class CountsTest {
    private static final Set<String> MODULES =
            Set.of("core", "data", "journal", "ipc", "log", "service", "http", "replica", "cluster");

    /** What a parameter is called that is a count. */
    private static final Pattern COUNT = Pattern.compile("capacity|initialCapacity|count|most|limit|bytes|places"
            + "|threads|workers|times|events|frames|sessions|pending|parties|processors|connections|rows|rowsPerBlock"
            + "|lines|requests|streams|rate|size|records|messageLength|max[A-Z].*|min[A-Z].*|mostBytes|windowBytes"
            + "|newLength|newMaxBatch|newBytesPerSecond|inputBytes|requestsPerSecond|logBytes");

    /**
     * They are told what was counted, or take what others have checked, or what cannot be wrong. To publish takes what
     * the caller has claimed, and looks at it by an assertion alone.
     */
    private static final Set<String> TOLD = Set.of(
            "Arguments.prepared",
            "BoundedQueue.drain",
            "Block.hold",
            "Block.checksumOf",
            "Block.markChecked",
            "BlockLayout.checksum",
            "Cache.new",
            "ChunkedInput.new",
            "Counters.createDefault",
            "Cut.new",
            "Event.wrap",
            "ExecutorStats.new",
            "ForwardingStorageFile.map",
            "ForwardingStorageFile.truncate",
            "FrameRing.publish",
            "Line.new",
            "Log.log",
            "MemberView.new",
            "PressureGauge.update",
            "Proof.new",
            "Progress.onLoad",
            "Progress.onSnapshotLoad",
            "RecoveryReport.new",
            "Report.new",
            "RingBuffer.publish",
            "ServiceEvents.onPressure",
            "SnapshotReport.new",
            "StorageFile.map",
            "Table.blocksOf",
            "Table.roomFor",
            "Table.rowsOf");

    @TempDir
    static Path folder;

    private static CountProbes probes;

    @BeforeAll
    static void makeProbes() {
        probes = new CountProbes(folder);
    }

    @Test
    void eachMethodThatTakesACountIsTried() throws IOException {
        Set<String> found = new TreeSet<>();
        for (String module : MODULES) {
            for (JavaClass type : Floors.classesOn(module)) {
                if (type.getModifiers().contains(JavaModifier.PUBLIC)
                        && SourceTree.exportedPackages().contains(type.getPackageName())
                        && !type.getPackageName().equals("io.slipstream.service.protocol")) {
                    found.addAll(methodsThatTakeACount(type));
                }
            }
        }
        found.removeAll(TOLD);
        Set<String> untried = new TreeSet<>(found);
        untried.removeAll(probes.all().keySet());
        assertThat(untried).as("add a probe").isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("probes")
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void noCountDoesHarm(String method) throws Exception {
        for (long count : new long[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE}) {
            try {
                probes.all().get(method).with(count);
            } catch (IllegalArgumentException e) {
                assertThat(e).as("%s of %s", method, count).hasMessageContaining(String.valueOf(count));
            } catch (IOException e) {
                assertThat(count).as("%s: %s", method, e).isGreaterThanOrEqualTo(Integer.MAX_VALUE);
                assertThat(e.getMessage()).isNotBlank();
            } catch (Throwable e) {
                throw new AssertionError(method + " of " + count + ": " + e, e);
            }
        }
    }

    static Set<String> probes() {
        return probes.all().keySet();
    }

    private static Set<String> methodsThatTakeACount(JavaClass type) throws IOException {
        Set<String> found = new TreeSet<>();
        byte[] bytes;
        try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
            bytes = in.readAllBytes();
        }
        for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
            if (method.flags().has(AccessFlag.PUBLIC)
                    && !method.flags().has(AccessFlag.SYNTHETIC)
                    && takesACount(method)) {
                String name = method.methodName().stringValue();
                found.add(type.getSimpleName() + "." + (name.equals("<init>") ? "new" : name));
            }
        }
        return found;
    }

    private static boolean takesACount(MethodModel method) {
        CodeModel code = method.code().orElse(null);
        if (code == null) {
            return false;
        }
        Map<Integer, String> names = new HashMap<>();
        code.forEach(element -> {
            if (element instanceof LocalVariable variable) {
                names.putIfAbsent(variable.slot(), variable.name().stringValue());
            }
        });
        int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1;
        for (ClassDesc type : method.methodTypeSymbol().parameterList()) {
            boolean isWhole = type.descriptorString().equals("I")
                    || type.descriptorString().equals("J");
            if (isWhole && COUNT.matcher(names.getOrDefault(slot, "")).matches()) {
                return true;
            }
            slot += type.descriptorString().equals("J")
                            || type.descriptorString().equals("D")
                    ? 2
                    : 1;
        }
        return false;
    }
}
