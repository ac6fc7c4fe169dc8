package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.codec.Flyweight;
import io.slipstream.data.column.BitColumn;
import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.column.BlockStore;
import io.slipstream.data.column.DoubleColumn;
import io.slipstream.data.column.DoubleGroups;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.LongGroups;
import io.slipstream.data.column.SealedColumns;
import io.slipstream.data.column.Table;
import io.slipstream.data.column.Width;
import io.slipstream.data.container.ContainerFileReader;
import io.slipstream.data.container.ContainerFileWriter;
import io.slipstream.data.index.BytesLongIndex;
import io.slipstream.data.index.LongLongIndex;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.HugeListBuilder;
import io.slipstream.data.list.ListArrow;
import io.slipstream.data.list.ListCsv;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** What a call of {@code data} needs. */
final class DataProbes {
    record Row(
            @Id(1) long id,
            @Id(2) String text,
            @Id(3) double rate,
            @Id(4) boolean paid) {}

    private static final Row ROW = new Row(9, InterruptProbes.TEXT, 1, true);

    interface Getters {
        long account();
    }

    private DataProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(
                HugeListBuilder.class,
                values -> HugeList.builder(Row.class).rowsPerBlock(64).identity("id"));
        probes.made(SealedColumns.class, values -> sealedColumns());
        probes.made(IllegalStateException.class, values -> new IllegalStateException(InterruptProbes.TEXT));
        probes.made(BitColumn.class, values -> values.of(HugeList.class).booleans("paid"));
        probes.made(LongColumn.class, values -> values.of(HugeList.class).longs("id"));
        probes.made(DoubleColumn.class, values -> values.of(HugeList.class).doubles("rate"));
        probes.made(Flyweight.class, values -> Codec.of(Getters.class).flyweight());
        probes.made(LongGroups.class, values -> {
            HugeList<?> list = values.of(HugeList.class);
            return list.longs("id").groupBy(list.longs("id"));
        });
        probes.made(DoubleGroups.class, values -> {
            HugeList<?> list = values.of(HugeList.class);
            return list.doubles("rate").groupBy(list.longs("id"));
        });
        probes.given(HugeList.class, "booleans", String.class, values -> "paid");
        probes.given(HugeList.class, "longs", String.class, values -> "id");
        probes.given(HugeList.class, "doubles", String.class, values -> "rate");
        probes.made(HugeList.class, DataProbes::aList);
        probes.made(LongLongIndex.class, values -> LongLongIndex.create(values.newPath(), -1));
        probes.made(BytesLongIndex.class, values -> BytesLongIndex.create(values.newPath(), -1));
        probes.works(LongLongIndex.class, index -> {
            index.put(5, 6);
            assertThat(index.get(5)).isEqualTo(6);
        });
        probes.works(BytesLongIndex.class, index -> {
            index.put("five", 6);
            assertThat(index.get("five")).isEqualTo(6);
        });
        probes.made(
                ContainerFileWriter.class, values -> ContainerFileWriter.create(values.newPath(), Codec.of(Row.class)));
        probes.made(ContainerFileReader.class, values -> {
            ContainerFileReader<Row> reader = ContainerFileReader.open(aContainerFile(values), Codec.of(Row.class));
            assertThat(reader.next()).isTrue();
            return reader;
        });
        probes.given(ContainerFileWriter.class, Codec.class, values -> Codec.of(Row.class));
        probes.given(ContainerFileWriter.class, Object.class, values -> ROW);
        probes.given(ContainerFileReader.class, Codec.class, values -> Codec.of(Row.class));
        probes.given(ContainerFileReader.class, Path.class, DataProbes::aContainerFile);
        probes.works(ContainerFileReader.class, reader -> {
            while (reader.next()) {
                assertThat(reader.tornBytes()).isZero();
            }
            assertThat(reader.isComplete()).isTrue();
        });
        probes.given(
                ListCsv.class,
                "read",
                CsvReader.class,
                values -> CsvReader.of(
                        MemorySegment.ofArray("id,text,rate,paid\n107,x,1.5,true\n".getBytes(StandardCharsets.UTF_8)),
                        CsvFormat.RFC_4180));
        probes.given(ListArrow.class, "read", Path.class, DataProbes::anArrowFile);
        probes.given(
                ListArrow.class,
                "read",
                InputStream.class,
                values -> new ByteArrayInputStream(Files.readAllBytes(anArrowFile(values))));
        probes.given(HugeList.class, Object.class, values -> ROW);
        probes.given(HugeListBuilder.class, "open", Path.class, DataProbes::aListFolder);
        probes.given(HugeListBuilder.class, "openReadOnly", Path.class, DataProbes::aListFolder);
        probes.given(HugeListBuilder.class, "identity", String.class, values -> "id");
        probes.given(LongLongIndex.class, "open", Path.class, values -> {
            Path path = values.newPath();
            LongLongIndex.create(path, -1).close();
            return path;
        });
        probes.given(BytesLongIndex.class, "open", Path.class, values -> {
            Path path = values.newPath();
            BytesLongIndex.create(path, -1).close();
            return path;
        });
    }

    static HugeList<Row> aList(Values values) throws Exception {
        HugeList<Row> list =
                HugeList.builder(Row.class).rowsPerBlock(64).identity("id").create(values.newPath());
        for (long id = 0; id < 100; id++) {
            list.add(new Row(id, InterruptProbes.TEXT, id, false));
        }
        list.commit();
        return list;
    }

    private static Path aContainerFile(Values values) throws Exception {
        Path path = values.newPath();
        try (ContainerFileWriter<Row> writer = ContainerFileWriter.create(path, Codec.of(Row.class))) {
            writer.append(ROW);
        }
        return path;
    }

    private static SealedColumns sealedColumns() {
        try (Table table = new Table(BlockLayout.ofColumns(List.of(Width.LONG), 64), BlockStore.ofMemory())) {
            table.reserve();
            for (int i = 0; i < 64; i++) {
                table.publishRow();
            }
            table.seal(0);
            return Objects.requireNonNull(table.block(0).sealed());
        }
    }

    private static Path aListFolder(Values values) throws Exception {
        Path path = values.newPath();
        HugeList.builder(Row.class).rowsPerBlock(64).identity("id").create(path).close();
        return path;
    }

    static Path anArrowFile(Values values) throws Exception {
        Path path = values.newPath();
        try (HugeList<Row> list = HugeList.of(Row.class)) {
            list.add(new Row(107, InterruptProbes.TEXT, 1, true));
            ListArrow.writeFile(list, path);
        }
        return path;
    }
}
