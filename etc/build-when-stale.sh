# Sourced: build_when_stale MODULE builds the Maven module, and those that it needs, when a source is newer than its last
# build. Run in the root of the repository. Of two that start at the same time, one builds and the other waits for it.

is_stale() {
  stamp=$1/target/built
  [ ! -f "$stamp" ] || [ -n "$(find . \( -name target -o -name .git \) -prune -o \
    -path '*/src/test' -prune -o \( -name '*.java' -o -name pom.xml -o -path '*/src/main/*' -type f \) \
    -newer "$stamp" -print 2>/dev/null | head -n 1)" ]
}

build_when_stale() {
  is_stale "$1" || return 0
  if ! command -v mvn >/dev/null 2>&1; then
    echo "slipstream: Maven is needed to build Slipstream on its first use; install it (3.6.3 or newer)" >&2
    exit 1
  fi
  mkdir -p core/target "$1/target"
  # The modules are shared, so there is one lock for all of them; it ends with the process that holds it.
  exec 9> core/target/build.lock
  if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
    echo "Another build runs in this folder; waiting for it ..." >&2
    flock 9
    is_stale "$1" || return 0
  fi
  echo "Building Slipstream; the first time Maven may have to download its plugins ..." >&2
  log=$1/target/build.log
  touch "$stamp.begun"
  { mvn -B -Dstyle.color=never -DskipTests -pl "$1" -am package 2>&1 || printf '\nBUILD ENDED IN FAILURE\n'; } | tee "$log" |
    sed -n 's/^\[INFO\] Building \(Slipstream.*\) [0-9][^ ]*  *\[\(.*\)\]$/  [\2] \1/p' >&2
  if grep -q "^BUILD ENDED IN FAILURE" "$log"; then
    grep -E '^\[ERROR\]' "$log" | head -n 20 >&2
    echo "slipstream: the build failed; all of its output is in $log" >&2
    exit 1
  fi
  # As old as the beginning of the build: what was changed meanwhile is built the next time.
  mv "$stamp.begun" "$stamp"
}
