#!/bin/sh
# Compares what the lab measures with programs that others wrote: lab/ground-truth.sh [DIRECTORY ON THE DISK [ROUNDS]]
# B3 against its C++ twin, B8 against dd, B25 against fio, M2 against a pointer chase in C++. The lab and the others take
# turns, round by round. Without a directory, or with an empty one, and where we may mount: on an ext4 made for it, in a file,
# so that both meet a file system in the same state. Elsewhere what is measured depends on what was deleted there before
# (docs/lab.md); T on the parent makes ext4 put each directory elsewhere, so that fewer meet inodes that were just freed.
# Prints for each: the median of the lab, that of the other, and the median of the rounds' ratios with the least and the
# greatest. Needs dd, fio, awk and a C++ compiler, and takes half a minute to two minutes a round.
set -eu
for tool in dd fio awk; do
  command -v "$tool" > /dev/null || { echo "ground-truth: $tool is not here; install it first" >&2; exit 1; }
done
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
disk=$(mktemp -d "${1:-/tmp}/ground-truth-XXXXXX")
memory=$(mktemp -d /dev/shm/ground-truth-XXXXXX)
image=
clean() {
  [ -z "$image" ] || umount "$disk" 2> /dev/null || true
  rm -rf "$disk" "$memory" $image
}
trap clean EXIT
trap 'exit 1' INT TERM
if [ -z "${1:-}" ]; then
  image=$disk.ext4
  truncate -s 4G "$image"
  # Nothing is left to be done by the kernel in the background while we measure.
  if mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$image" && mount -o loop "$image" "$disk"; then
    echo "on an ext4 of its own, in $image" >&2
  else
    echo "no file system can be mounted here: on that of /tmp" >&2
  fi
fi
! command -v chattr > /dev/null || chattr +T "$disk" 2> /dev/null || true
ROUNDS=${2:-5}
PASSES=3
FILES=1000
FILES_IN_MEMORY=8000

median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

# The median of what a round of the lab found: EXPERIMENT SERIES METRIC.
lab() { awk -F, -v e="$1" -v s="$2" -v m="$3" '$1 == e && $3 == s && $5 == m { print $7 }' "$disk/out/results.csv" | median; }

# Keeps a round's pair: NAME LAB OTHER.
pair() { echo "$2 $3" >> "$disk/$1.pairs"; }

# The pairs of all rounds in one line: NAME TITLE.
line() {
  awk -v title="$2" -v a="$(cut -d' ' -f1 "$disk/$1.pairs" | median)" -v b="$(cut -d' ' -f2 "$disk/$1.pairs" | median)" \
    -v ratio="$(awk '{ print $1 / $2 }' "$disk/$1.pairs" | median)" \
    'NR == 1 || $1 / $2 < low { low = $1 / $2 } NR == 1 || $1 / $2 > high { high = $1 / $2 }
    END { printf "%-40s %10.4g %10.4g %8.2f   %.2f to %.2f\n", title, a, b, ratio, low, high }' "$disk/$1.pairs"
}

# Megabytes per second of a dd that was given all its arguments.
copy() { LC_ALL=C dd "$@" bs=4k 2>&1 | awk -F 'copied, ' 'NF > 1 { split($2, part, " "); print 16.777216 / part[1] }'; }

# Microseconds for each file, of a few passes: DIRECTORY FILES. (The run time has whole milliseconds, cut off.)
create() {
  for pass in $(seq $PASSES); do
    own=$(mktemp -d "$1/fio-XXXXXX")
    fio --name=c --directory="$own" --nrfiles="$2" --filesize=256 --bs=256 --rw=write --create_on_open=1 --fallocate=none \
      --openfiles=1 --file_service_type=sequential --ioengine=sync --thread --output-format=json |
      awk '/"job_runtime"/ { gsub(/[^0-9]/, ""); print; exit }'
    rm -r "$own"
  done | awk -v n="$2" '{ sum += $1 + 0.5 } END { print sum * 1000 / n / NR }'
}

delete() {
  for pass in $(seq $PASSES); do
    own=$(mktemp -d "$1/fio-XXXXXX")
    fio --name=d --directory="$own" --nrfiles=$FILES --filesize=256 --ioengine=filedelete --fallocate=none --create_fsync=0 \
      --thread --output-format=json |
      awk '/"clat_ns"/ { on = 1 } on && /"mean"/ { gsub(/[^0-9.]/, ""); if ($0 > 0) { print $0 / 1000; exit } }'
    rm -r "$own"
  done | median
}

# Built before, and not while measuring.
"$here/../slipstream" lab list > /dev/null
# The same file as in the lab: made in large pieces, then written and read in pages.
dd if=/dev/zero of="$disk/file" bs=1M count=16 2> /dev/null
for round in $(seq "$ROUNDS"); do
  echo "round $round of $ROUNDS" >&2
  rm -rf "$disk/out"
  "$here/../slipstream" lab run B3 B8 B25 --quick --scratch "$disk" --out "$disk/out" > "$disk/said"
  pair b3 "$(lab B3 Java ns/op)" "$(lab B3 C++ ns/op)"
  pair write "$(lab B8 FileChannel 'page write MB/s')" "$(for pass in $(seq $PASSES); do
    copy if=/dev/zero of="$disk/file" count=4096 conv=notrunc; done | median)"
  pair read "$(lab B8 FileChannel 'page read MB/s')" "$(for pass in $(seq $PASSES); do
    copy if="$disk/file" of=/dev/null; done | median)"
  pair create-memory "$(lab B25 tmpfs 'create µs')" "$(create "$memory" $FILES_IN_MEMORY)"
  pair delete-memory "$(lab B25 tmpfs 'delete µs')" "$(delete "$memory")"
  pair create-disk "$(lab B25 disk 'create µs')" "$(create "$disk" $FILES)"
  pair delete-disk "$(lab B25 disk 'delete µs')" "$(delete "$disk")"
done
# Java and C++ take turns within it.
rm -rf "$disk/out"
"$here/../slipstream" lab run M2 --quick --scratch "$disk" --out "$disk/out" > "$disk/said"

printf '%-40s %10s %10s %8s   %s\n' '' lab other ratio 'of rounds'
line b3 'B3 ns, against C++'
line write 'B8 FileChannel write MB/s, against dd'
line read 'B8 FileChannel read MB/s, against dd'
line create-memory 'B25 tmpfs create us, against fio'
line delete-memory 'B25 tmpfs delete us, against fio'
line create-disk 'B25 disk create us, against fio'
line delete-disk 'B25 disk delete us, against fio'
for pages in 'small pages' 'huge pages'; do
  for size in $(awk -F, -v s="$pages" '$1 == "M2" && $3 == s && $5 == "Java / C++" && !seen[$4]++ { print $4 }' "$disk/out/results.csv"); do
    awk -F, -v s="$pages" -v x="$size" '$1 == "M2" && $3 == s && $4 == x {
      if ($5 == "ns/load") java[$6] = $7; if ($5 == "C++ ns/load") cpp[$6] = $7 }
      END { for (r in java) print java[r], cpp[r] }' "$disk/out/results.csv" > "$disk/m2.pairs"
    line m2 "M2 $pages, $((size / 1024)) KB, ns, against C++"
  done
done
