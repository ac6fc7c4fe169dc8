# Sourced: find_jdk sets JDK_HOME to a JDK 25 or newer, or ends the script with one line that says what to install.
# Looked at, in this order: JAVA_HOME, the java on PATH, the usual folders.

jdk_version() {
  # The release file is there in every JDK since 9 and is quicker to read than starting java.
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

is_jdk_25() {
  version=$(jdk_version "$1") && [ -n "$version" ] && [ "$version" -ge 25 ]
}

find_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && is_jdk_25 "$JAVA_HOME"; then
    JDK_HOME=$JAVA_HOME
    return
  fi
  on_path=$(command -v java 2>/dev/null || true)
  if [ -n "$on_path" ]; then
    on_path=$(readlink -f "$on_path" 2>/dev/null || echo "$on_path")
    on_path=${on_path%/bin/java}
    if is_jdk_25 "$on_path"; then
      JDK_HOME=$on_path
      return
    fi
  fi
  for candidate in "${JAVA25_HOME:-/nowhere}" "${JDK25_HOME:-/nowhere}" /usr/lib/jvm/* /usr/java/* /opt/*jdk* \
    /opt/java/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if is_jdk_25 "$candidate"; then
      JDK_HOME=$candidate
      return
    fi
  done
  echo "slipstream: no JDK 25 or newer was found; install one (for example Eclipse Temurin 25) or set JAVA_HOME to it" >&2
  exit 1
}
