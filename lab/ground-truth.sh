#!/bin/sh
# Compares what the lab measures with programs that others wrote: lab/ground-truth.sh [DIRECTORY ON THE DISK]
# B3 against its C++ twin, B8 against dd, B25 against fio. Prints a line for each: the lab's median, the other's median,
# their ratio. Needs dd, fio, awk and a C++ compiler. (The verdict of M2 compares Java and C++ itself.)
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
disk=$(mktemp -d "${1:-/tmp}/ground-truth-XXXXXX")
memory=$(mktemp -d /dev/shm/ground-truth-XXXXXX)
trap 'rm -rf "$disk" "$memory"' EXIT
trap 'exit 1' INT TERM
ROUNDS=5
FILES=2000

median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

# The lab's median: EXPERIMENT SERIES METRIC.
lab() { awk -F, -v e="$1" -v s="$2" -v m="$3" '$1 == e && $3 == s && $5 == m { print $7 }' "$disk/out/results.csv" | median; }

line() { awk -v what="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%-42s %10.4g %10.4g %8.2f\n", what, a, b, a / b }'; }

# Megabytes per second of a dd that was given all its arguments.
copy() { LC_ALL=C dd "$@" bs=4k 2>&1 | awk -F 'copied, ' 'NF > 1 { split($2, part, " "); print 104.8576 / part[1] }'; }

# Microseconds for each file: DIRECTORY. The run time has whole milliseconds, hence many files.
create() {
  fio --name=c --directory="$1" --nrfiles=$FILES --filesize=256 --bs=256 --rw=write --create_on_open=1 --fallocate=none \
    --openfiles=1 --file_service_type=sequential --ioengine=sync --thread --output-format=json |
    awk -v n=$FILES '/"job_runtime"/ { gsub(/[^0-9]/, ""); print $0 * 1000 / n; exit }'
  find "$1" -name 'c.*' -delete
}

delete() {
  fio --name=d --directory="$1" --nrfiles=$FILES --filesize=256 --ioengine=filedelete --fallocate=none --create_fsync=0 --thread \
    --output-format=json | awk '/"clat_ns"/ { on = 1 } on && /"mean"/ { gsub(/[^0-9.]/, ""); if ($0 > 0) { print $0 / 1000; exit } }'
  find "$1" -name 'd.*' -delete
}

# Built before, and not while measuring.
"$here/../slipstream" lab list > /dev/null
"$here/../slipstream" lab run B3 B8 B25 --quick --scratch "$disk" --out "$disk/out" >&2

# The same file as in the lab: made in large pieces, then written and read in pages.
dd if=/dev/zero of="$disk/file" bs=1M count=100 2>/dev/null
for round in $(seq $ROUNDS); do
  copy if=/dev/zero of="$disk/file" count=25600 conv=notrunc >> "$disk/write"
  copy if="$disk/file" of=/dev/null >> "$disk/read"
  create "$memory" >> "$disk/create-memory"
  delete "$memory" >> "$disk/delete-memory"
  create "$disk" >> "$disk/create-disk"
  delete "$disk" >> "$disk/delete-disk"
done

printf '%-42s %10s %10s %8s\n' '' lab other ratio
line 'B3 ns, against C++' "$(lab B3 Java ns/op)" "$(lab B3 C++ ns/op)"
line 'B8 FileChannel write MB/s, against dd' "$(lab B8 FileChannel 'write MB/s')" "$(median < "$disk/write")"
line 'B8 FileChannel read MB/s, against dd' "$(lab B8 FileChannel 'read MB/s')" "$(median < "$disk/read")"
line 'B25 tmpfs create us, against fio' "$(lab B25 tmpfs 'create µs')" "$(median < "$disk/create-memory")"
line 'B25 tmpfs delete us, against fio' "$(lab B25 tmpfs 'delete µs')" "$(median < "$disk/delete-memory")"
line 'B25 disk create us, against fio' "$(lab B25 disk 'create µs')" "$(median < "$disk/create-disk")"
line 'B25 disk delete us, against fio' "$(lab B25 disk 'delete µs')" "$(median < "$disk/delete-disk")"
