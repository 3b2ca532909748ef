#!/usr/bin/env bash
# OpenAI's own clients against the example server, and against the gateway in front of one that leaks the model's text.
#
#   tests/clients/run.sh          all of them
#   tests/clients/run.sh node     only these: python, node, go
#
# Prints what failed, then one line of counts.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
here=$root/tests/clients
gateway=$root/ffi/go/cmd/harmony-gateway
transcripts=$root/tests/transcripts
# Whoever reaches the registries through a proxy reaches the servers here without.
export NO_PROXY=127.0.0.1,localhost no_proxy=127.0.0.1,localhost
target=${CARGO_TARGET_DIR:-$root/target}
built=$target/clients
mkdir -p "$built"

work=$(mktemp -d)
servers=()
at_exit() {
  [ ${#servers[@]} -eq 0 ] || kill "${servers[@]}" 2> /dev/null || true
  wait
  rm -rf "$work"
}
trap at_exit EXIT

# ---- What it needs ----

lacks=()
# needs WHAT COMMAND...: it is there if the command succeeds.
needs() {
  local what=$1
  shift
  "$@" > /dev/null 2>&1 || lacks+=("$what")
}
needs 'cargo (https://rustup.rs)' command -v cargo
needs 'g++ (Debian: g++)' command -v g++
needs 'cpp-httplib (Debian: libcpp-httplib-dev, pkg-config)' pkg-config cpp-httplib
needs 'nlohmann-json (Debian: nlohmann-json3-dev)' test -e /usr/include/nlohmann/json.hpp
needs 'Python 3.10 or later (Debian: python3)' python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'
needs "Python's venv (Debian: python3-venv)" python3 -c 'import venv, ensurepip'
needs 'Node.js 18 or later (Debian: nodejs)' node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'
needs 'npm (Debian: npm)' command -v npm
needs 'Go 1.24 or later (https://go.dev/dl)' sh -c "cd '$here/go' && go list ."
if [ ${#lacks[@]} -gt 0 ]; then
  printf 'missing: %s\n' "${lacks[@]}" >&2
  exit 1
fi

# Shows what a command said only if it failed.
quietly() {
  local code
  # Asked in an "if", bash would go on behind a failing command.
  set +e
  (set -e; "$@") > "$work/log" 2>&1
  code=$?
  set -e
  if [ "$code" -ne 0 ]; then
    cat "$work/log" >&2
    echo "FAILED: $*" >&2
    return 1
  fi
}

# ---- Build ----

build_server() {
  local flags libraries
  read -ra flags <<< "$(pkg-config --cflags cpp-httplib)"
  read -ra libraries <<< "$(pkg-config --libs cpp-httplib)"
  cargo build --quiet --release --locked -p harmony-stream-ffi --lib
  g++ -std=c++17 -O2 -Wall -Wextra -pedantic -Werror -I include "${flags[@]}" ffi/examples/server.cpp \
    "$target/release/libharmony_stream_ffi.a" "${libraries[@]}" -lgcc_s -lutil -lrt -lpthread -lm -ldl \
    -o "$built/server"
}

build_gateway() {
  ffi/go/build-lib.sh
  (cd "$gateway" && go build -o "$built/gateway" .)
}

# once FOLDER FILE COMMAND...: runs the command, which makes the folder, unless it did so before with the same file.
once() {
  local stamp=$1/installed-from
  cmp -s "$2" "$stamp" && return 0
  quietly "${@:3}"
  cp "$2" "$stamp"
}

build_python() {
  python3 -m venv --clear "$built/venv"
  "$built/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/python/requirements.txt"
}

# Without a lock: the client has no dependencies, and its version is exact.
build_node() { npm install --prefix "$here/node" --omit=dev --no-package-lock --no-audit --no-fund; }

build_go() { (cd "$here/go" && go build -o "$built/go-client" .); }

# ---- Run ----

# start NAME COMMAND...: runs a server, waits until it says where it listens, and puts that into `address`.
start() {
  local log=$work/$1 tries
  shift
  : > "$log"
  "$@" >> "$log" 2>&1 &
  servers+=($!)
  for ((tries = 0; tries < 600; tries++)); do
    # The first address: the gateway's line goes on with others.
    if [[ $(grep listening "$log") =~ 127\.0\.0\.1:[0-9]+ ]]; then
      address=${BASH_REMATCH[0]}
      return 0
    fi
    sleep 0.1
  done
  cat "$log" >&2
  return 1
}

# None takes a minute; the limit is for one that hangs.
run_python() { timeout 600 "$built/venv/bin/python" "$here/python/check.py" "$@"; }
run_node() { timeout 600 node "$here/node/check.js" "$@"; }
run_go() { timeout 600 "$built/go-client" "$@"; }

passed=0
failed=0
# check NAME API PLAYER: every client against the API, whose transcripts are played by the server PLAYER.
check() {
  local client counts status good bad
  for client in "${clients[@]}"; do
    "run_$client" "http://$2/v1" "http://$3/health" "$transcripts" > "$work/out" 2>&1 && status=0 || status=$?
    counts=$(sed -nE '$s/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$work/out")
    read -r good bad <<< "${counts:-0 1}"
    # One that ended in another way, or has checked nothing, has failed as a whole.
    if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$good" -eq 0 ]; }; then bad=1; fi
    [ "$bad" -eq 0 ] || sed "s/^/$client, $1: /" "$work/out"
    passed=$((passed + good))
    failed=$((failed + bad))
  done
}

clients=("$@")
[ $# -gt 0 ] || clients=(python node go)
quietly build_server
quietly build_gateway
for client in "${clients[@]}"; do
  case $client in
    python) once "$built/venv" "$here/python/requirements.txt" build_python ;;
    node) once "$here/node/node_modules" "$here/node/package.json" build_node ;;
    go) quietly build_go ;;
    *) echo "no such client: $client" >&2; exit 2 ;;
  esac
done

start server "$built/server" --port 0 "$transcripts"
check server "$address" "$address"

start leaky "$built/server" --port 0 --raw "$transcripts"
leaky=$address
start gateway "$built/gateway" -listen 127.0.0.1:0 -metrics 127.0.0.1:0 -upstream "http://$leaky"
check gateway "$address" "$leaky"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
