# Sourced: build_when_stale MODULE builds the Maven module, and those that it needs, when a source is newer than its last
# build. Run in the root of the repository.

build_when_stale() {
  stamp=$1/target/built
  if [ -f "$stamp" ] && [ -z "$(find . \( -name target -o -name .git \) -prune -o \
      -path '*/src/test' -prune -o \( -name '*.java' -o -name pom.xml -o -path '*/src/main/*' -type f \) \
      -newer "$stamp" -print 2>/dev/null | head -n 1)" ]; then
    return
  fi
  if ! command -v mvn >/dev/null 2>&1; then
    echo "slipstream: Maven is needed to build Slipstream on its first use; install it (3.6.3 or newer)" >&2
    exit 1
  fi
  echo "Building Slipstream; the first time Maven may have to download its plugins ..." >&2
  log=$1/target/build.log
  mkdir -p "$1/target"
  touch "$stamp.begun"
  { mvn -B -Dstyle.color=never -DskipTests -pl "$1" -am package 2>&1 || printf '\nBUILD ENDED IN FAILURE\n'; } | tee "$log" |
    sed -n 's/^\[INFO\] Building \(Slipstream.*[a-z]\) .*\[\(.*\)\]$/  [\2] \1/p' >&2
  if grep -q "^BUILD ENDED IN FAILURE" "$log"; then
    grep -E '^\[ERROR\]' "$log" | head -n 20 >&2
    echo "slipstream: the build failed; all of its output is in $log" >&2
    exit 1
  fi
  # As old as the beginning of the build: what was changed meanwhile is built the next time.
  mv "$stamp.begun" "$stamp"
}
