#!/bin/sh
# Compares the lab's harness with JMH, where JMH fits: lab/ground-truth-jmh.sh [ROUNDS]
# B27 and B31 are written a second time, as their users would write them with JMH (lab/jmh), and the two take turns, round
# by round, with the same heap and collector. Prints for each: the median of the lab, that of JMH, and the median of the
# rounds' ratios with the least and the greatest. Needs Maven, which fetches JMH, and takes about half a minute a round.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/../etc/find-jdk.sh"
find_jdk
ROUNDS=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

# A line for both: TITLE EXPERIMENT SERIES BENCHMARK.
compare() {
  awk -F, -v e="$2" -v s="$3" -v b="$4" '
    FILENAME ~ /lab/ && $1 == e && $3 == s && $5 == "ns/op" { print FILENAME, $7 > "'"$work"'/a" }
    FILENAME ~ /jmh/ && $1 ~ b { print FILENAME, $5 > "'"$work"'/b" }' "$work"/lab-*.csv "$work"/jmh-*.csv
  for round in $(seq "$ROUNDS"); do
    a=$(awk -v f="lab-$round.csv" 'index($1, f) { print $2 }' "$work/a" | median)
    b=$(awk -v f="jmh-$round.csv" 'index($1, f) { print $2 }' "$work/b" | median)
    echo "$a $b $(awk -v a="$a" -v b="$b" 'BEGIN { print a / b }')"
  done > "$work/pairs"
  awk -v title="$1" -v a="$(cut -d' ' -f1 "$work/pairs" | median)" -v b="$(cut -d' ' -f2 "$work/pairs" | median)" \
    -v ratio="$(cut -d' ' -f3 "$work/pairs" | median)" \
    'NR == 1 || $3 < low { low = $3 } NR == 1 || $3 > high { high = $3 }
    END { printf "%-30s %10.4g %10.4g %8.2f   %.2f to %.2f\n", title, a, b, ratio, low, high }' "$work/pairs"
}

# Built before, and not while measuring.
"$here/../slipstream" lab list > /dev/null
JAVA_HOME=$JDK_HOME mvn -B -q -f "$here/jmh" package > "$work/built" 2>&1 || { cat "$work/built" >&2; exit 1; }
for round in $(seq "$ROUNDS"); do
  echo "round $round of $ROUNDS" >&2
  "$here/../slipstream" lab run B27 B31 --quick --out "$work/out" > "$work/said"
  cp "$work/out/results.csv" "$work/lab-$round.csv"
  "$JDK_HOME/bin/java" -cp "$here/jmh/target/classes:$here/jmh/target/dependency/*" org.openjdk.jmh.Main \
    -f 1 -wi 3 -w 300ms -i 3 -r 300ms -jvmArgs "-Xms1g -Xmx1g -XX:+UseSerialGC" -rf csv -rff "$work/jmh-$round.csv" > "$work/said" 2>&1
done

printf '%-30s %10s %10s %8s   %s\n' '' lab JMH ratio 'of rounds'
compare 'B31 plain store, ns' B31 plain 'Stores.plain'
compare 'B31 release store, ns' B31 release 'Stores.release'
compare 'B31 volatile store, ns' B31 volatile 'Stores.sequential'
compare 'B27 Math.round, ns' B27 Math.round 'Roundings.round'
compare 'B27 BigDecimal, ns' B27 BigDecimal 'Roundings.bigDecimal'
