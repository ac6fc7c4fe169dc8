"""Compares what a list has written as Arrow with what it has written as JSON, value for value.

    arrow.py check FILE JSON     a file of Arrow, read by pyarrow, Polars and DuckDB
    arrow.py stream FILE JSON    a stream of Arrow, read by pyarrow and Polars
    arrow.py rewrite FILE TO     the same values as arrays that pyarrow has made, in a file that pyarrow writes
    arrow.py others FOLDER -     the same rows in many forms, in files of pyarrow and Polars, to be read by a list

Exit code 77 if one of the libraries is missing.
"""

import datetime
import decimal
import json
import re
import struct
import sys
import uuid

try:
    import duckdb
    import polars
    import pyarrow as pa
    import pyarrow.ipc
except ImportError:
    sys.exit(77)

SECOND = 1_000_000_000
DURATION = re.compile(r"PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?")


def nanos(fraction):
    return int((fraction or "").ljust(9, "0"))


def instant(text):
    date, fraction = re.fullmatch(r"([^.]*?)(?:\.(\d+))?Z", text).groups()
    time = datetime.datetime.fromisoformat(date + "+00:00") - datetime.datetime.fromtimestamp(0, datetime.timezone.utc)
    return (time.days * 86_400 + time.seconds) * SECOND + nanos(fraction)


def duration(text):
    hours, minutes, sign, seconds, fraction = DURATION.fullmatch(text).groups()
    rest = int(seconds or 0) * SECOND + nanos(fraction)
    return (int(hours or 0) * 3_600 + int(minutes or 0) * 60) * SECOND + (-rest if sign else rest)


def expected(value, type_):
    """Returns what Arrow is to give for a value of JSON."""
    if pa.types.is_struct(type_):
        return value and {field.name: expected(value.get(field.name), field.type) for field in type_}
    if value is None:
        return None
    if pa.types.is_dictionary(type_) or pa.types.is_string(type_):
        return value
    if pa.types.is_timestamp(type_):
        return instant(value)
    if pa.types.is_duration(type_):
        return duration(value)
    if pa.types.is_date(type_):
        return datetime.date.fromisoformat(value)
    if pa.types.is_uint16(type_):
        return ord(value)
    if pa.types.is_float32(type_):
        return struct.pack("<f", float(value))
    if pa.types.is_float64(type_):
        return struct.pack("<d", float(value))
    if pa.types.is_decimal(type_):
        return format(value, "f")
    if isinstance(type_, pa.BaseExtensionType):
        return uuid.UUID(value).bytes
    return value


def actual(array):
    """Returns the values of an array of pyarrow, with times as nanoseconds and fractions as their bytes."""
    type_ = array.type
    if pa.types.is_struct(type_):
        columns = [actual(column) for column in array.flatten()]
        names = [field.name for field in type_]
        rows = zip(*columns) if columns else [()] * len(array)
        return [dict(zip(names, row)) if there.as_py() else None for row, there in zip(rows, array.is_valid())]
    if pa.types.is_timestamp(type_) or pa.types.is_duration(type_):
        return array.view(pa.int64()).to_pylist()
    values = (array.storage if isinstance(array, pa.ExtensionArray) else array).to_pylist()
    code = {pa.float32(): "<f", pa.float64(): "<d"}.get(type_)
    if code:
        return [None if value is None else struct.pack(code, value) for value in values]
    if pa.types.is_decimal(type_):
        return [None if value is None else format(value, "f") for value in values]
    return values


def rows(table):
    """Returns the rows of a table of pyarrow."""
    names = table.schema.names
    for batch in table.to_batches():
        for row in zip(*(actual(column) for column in batch.columns)):
            yield dict(zip(names, row))


def elements(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line, parse_float=decimal.Decimal) for line in lines]


def compare(reader, table, wanted, fields):
    """Compares with the fields that the reader has kept as they are."""
    found = list(rows(table))
    assert len(found) == len(wanted), f"{reader}: {len(found)} rows in place of {len(wanted)}"
    for number, (row, element) in enumerate(zip(found, wanted)):
        for field in fields:
            value = expected(element.get(field.name), field.type)
            has = row[field.name]
            if isinstance(has, str) and isinstance(field.type, pa.BaseExtensionType):
                has = uuid.UUID(has).bytes
            assert has == value, f"{reader}: row {number}, {field.name}: {has!r} in place of {value!r}"


def check(path, json_path):
    wanted = elements(json_path)
    with pa.memory_map(path) as mapped, pa.ipc.open_file(mapped) as file:
        table = file.read_all()
        table.validate(full=True)
        compare("pyarrow", table, wanted, table.schema)
        # The intervals of DuckDB are in microseconds.
        fields = [field for field in table.schema if not pa.types.is_duration(field.type)]
        compare("DuckDB", duckdb.from_arrow(table).to_arrow_table(), wanted, fields)
        compare("Polars", polars.read_ipc(path).to_arrow(), wanted, table.schema)


def stream(path, json_path):
    wanted = elements(json_path)
    with pa.ipc.open_stream(path) as file:
        table = file.read_all()
        table.validate(full=True)
        compare("pyarrow", table, wanted, table.schema)
        compare("Polars", polars.read_ipc_stream(path).to_arrow(), wanted, table.schema)


def rewrite(path, to):
    with pa.ipc.open_file(path) as file, pa.ipc.new_file(to, file.schema) as out:
        for i in range(file.num_record_batches):
            batch = file.get_batch(i)
            out.write_batch(pa.record_batch([rebuilt(column) for column in batch.columns], schema=file.schema))


def rebuilt(array):
    """Returns an array of the same values that pyarrow makes."""
    type_ = array.type
    if pa.types.is_struct(type_):
        columns = [rebuilt(column) for column in array.flatten()]
        return pa.StructArray.from_arrays(columns, fields=list(type_), mask=array.is_null())
    if pa.types.is_dictionary(type_):
        return pa.DictionaryArray.from_arrays(rebuilt(array.indices), rebuilt(array.dictionary))
    if pa.types.is_timestamp(type_) or pa.types.is_duration(type_):
        return pa.array(array.view(pa.int64()).to_pylist(), pa.int64()).view(type_)
    return pa.array(array.to_pylist(), type_)


def others(folder, _):
    count = 1000
    numbers = range(count)
    utc = datetime.timezone.utc
    sides = [None if i % 7 == 0 else ("BUY", "SELL")[i % 2] for i in numbers]
    texts = ["text %d €" % (i % 50) if i % 3 else "a longer text, number %d" % i for i in numbers]
    legs = [None if i % 5 == 0 else {"ratio": i, "note": "n%d" % i} for i in numbers]
    times = [datetime.datetime(2026, 1, 1, tzinfo=utc) + datetime.timedelta(microseconds=i) for i in numbers]
    days = [datetime.date(2026, 1, 1) + datetime.timedelta(days=i) for i in numbers]
    lengths = [datetime.timedelta(milliseconds=-i) for i in numbers]
    prices = [decimal.Decimal(i).scaleb(-1) for i in numbers]

    def table(text, whole, side, price, time, day, length, real):
        leg = pa.struct([("note", text), ("ratio", whole)])
        columns = {
            "leg": pa.array(legs, leg),
            "real": pa.array([i / 4 for i in numbers], real),
            "took": pa.array(lengths, length),
            "day": pa.array(days, day),
            "at": pa.array(times, time),
            "price": pa.array(prices, price),
            "side": pa.array(sides, side),
            "text": pa.array(texts, text),
            "id": pa.array(numbers, whole),
        }
        return pa.table(columns)

    plain = table(
        pa.string(), pa.int64(), pa.string(), pa.decimal128(19, 2), pa.timestamp("ns", "UTC"), pa.date32(),
        pa.duration("ns"), pa.float64())
    other = table(
        pa.large_string(), pa.uint16(), pa.dictionary(pa.uint16(), pa.large_string()), pa.decimal128(38, 1),
        pa.timestamp("us", "Europe/Berlin"), pa.date64(), pa.duration("ms"), pa.float32())
    views = table(
        pa.string_view(), pa.int16(), pa.dictionary(pa.int8(), pa.string()), pa.decimal128(5, 1),
        pa.timestamp("us", "+02:00"), pa.date32(), pa.duration("us"), pa.float64())
    for name, rows, most in (("plain", plain, None), ("other", other, 97), ("views", views, 64)):
        with pa.ipc.new_file(f"{folder}/{name}.arrow", rows.schema) as out:
            out.write_table(rows, max_chunksize=most)
    polars.from_arrow(plain).write_ipc(f"{folder}/polars.arrow", compression="uncompressed")
    # Dictionaries that grow, and one that is replaced.
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    side, text = pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.string())
    growing = [(10, ["BUY"]), (20, ["BUY", "SELL"]), (1000, ["BUY", "SELL"])]
    schema = pa.schema([("id", pa.int64()), ("side", side), ("text", text)])
    with pa.ipc.new_stream(f"{folder}/delta.arrows", schema, options=options) as out:
        begin = 0
        for end, constants in growing:
            rows = range(begin, end)
            of = [i % len(constants) for i in rows]
            distinct = ["t%d" % i for i in rows]
            out.write_batch(pa.record_batch([
                pa.array(rows, pa.int64()),
                pa.DictionaryArray.from_arrays(pa.array(of, pa.int8()), pa.array(constants)),
                pa.DictionaryArray.from_arrays(pa.array(range(len(distinct)), pa.int32()), pa.array(distinct)),
            ], schema=schema))
            begin = end
    import pyarrow.feather
    pyarrow.feather.write_feather(plain, f"{folder}/lz4.feather", "lz4")
    polars.from_arrow(plain).write_ipc(f"{folder}/zstd.arrow", compression="zstd")


{"check": check, "others": others, "stream": stream, "rewrite": rewrite}[sys.argv[1]](sys.argv[2], sys.argv[3])
