# shellcheck shell=sh
# Sourced by each script of this folder, which reads as its experiment: what it breaks, what it waits for, what must hold.
# An experiment pays orders while something is broken, heals it, and lets `kabar check` decide.
set -eu

name=$(basename -- "$0")
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$checkout"
export KABAR_BUILD=no # what is started again is what was running
newline='
'

# experiment WHAT EXPECTED "$@": reads the options, finds Kabar, says what will happen
experiment() {
  what=$1 expected=$2
  shift 2
  on='' orders=20
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help) usage ;;
      --on=*) on=${1#*=} ;;
      --orders=*) orders=${1#*=} ;;
      --on | --orders)
        [ $# -ge 2 ] || misused "$1 needs a value"
        if [ "$1" = --on ]; then on=$2; else orders=$2; fi
        shift ;;
      *) misused "what is '$1'?" ;;
    esac
    shift
  done
  case $on in '' | local | compose | kind) ;; *) misused "--on is local, compose or kind, not '$on'" ;; esac
  case $orders in '' | *[!0-9]* | 0*) misused "--orders is a number from 1 on, not '$orders'" ;; esac
  on=$(./kabar where ${on:+--on "$on"}) || exit $?
  on=${on##*"$newline"} # it may have had something to build first
  notes=$checkout/target/chaos/$on-${KABAR_PORT_OFFSET:-0}
  mkdir -p "$notes"
  began=$(date +%s)
  since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  account=$notes/$name.account
  : >"$account"
  heal='' load=''
  trap finish EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  printf '%s on %s: %s\nExpected: %s\n' "$name" "$on" "$what" "$expected"
}

usage() {
  cat <<TEXT
Usage: chaos/$name${arguments:+ $arguments} [--on local|compose|kind] [--orders N]

What it does: $what.
Expected: $expected.

  --on WHERE   where Kabar runs; may be left out where only one does
  --orders N   how many orders are paid meanwhile (20)

Ends with PASS (0), FAIL (1); 2: not understood, 3: no Kabar runs. Ctrl-C heals what it broke.
TEXT
  exit 0
}

misused() {
  printf '%s: %s; --help tells more\n' "$name" "$1" >&2
  exit 2
}

finish() {
  code=$?
  trap - EXIT
  trap '' INT TERM
  [ -z "$load" ] || kill "$load" 2>/dev/null || true
  healed || code=1
  took=$(($(date +%s) - began))
  case $code in
    0) result=PASS ;;
    130 | 143) result=STOPPED ;;
    *) result=FAIL ;;
  esac
  printf '%s %s on %s (%d s)\n' "$result" "$name" "$on" "$took"
  exit "$code"
}

to_heal() { heal="$1${heal:+; $heal}"; }

healed() {
  eval "$heal"
  heal=''
}

# The parts of an experiment

kabar() { ./kabar "$@" --on "$on"; }

pay() { kabar pay --orders "$orders"; }

pay_meanwhile() { # slowly enough that the fault comes in their midst
  ./kabar pay --orders "$orders" --per-second 4 --on "$on" &
  load=$!
}

all_paid() {
  wait "$load"
  load=''
}

# Everything has arrived and agrees: each payment was mailed once, what was dead-lettered meanwhile after a replay.
all_is_well() {
  kabar check --since "$since" --payments "$orders" --repeats "${repeats:-0}" --replay --account "$account"
}

provider_breaks() { # FAULT [--until-felt N]
  to_heal provider_works
  kabar provider breaks "$@"
}

provider_works() { kabar provider works; }

dead_letters() { kabar dead-letters --since "$since" "$@"; }

# The stub keeps its inbox in memory. It refuses calls for a moment, so that what it tells is all it has ever accepted.
keep_account() {
  provider_breaks '{"mode": "status", "status": 503}'
  kabar provider account >"$account"
}

# What is done to one service, on each of the three

k() { kubectl --context kind-kabar --namespace kabar "$@"; }

pod_of() { k get pod --selector "app.kubernetes.io/name=$1" --output name | head -n 1; }

container_of() { docker compose ps --quiet "$1" | head -n 1; }

local_name() { case $1 in *-db) echo postgres ;; *) echo "$1" ;; esac; }

workload() { case $1 in *-db | kafka) echo "statefulset/$1" ;; *) echo "deployment/$1" ;; esac; }

# SIGKILL for one instance; in kind it is replaced at once.
kill_one() {
  to_heal "start $1"
  case $on in
    local) ./kabar kill "$(local_name "$1")" ;;
    compose) docker kill "$(container_of "$1")" ;;
    kind) k delete "$(pod_of "$1")" --force --grace-period 0 ;;
  esac
}

# The same for a service that runs once, and it stays away until it is started.
take_down() {
  if [ "$on" = kind ]; then
    to_heal "start $1"
    k scale "$(workload "$1")" --replicas 0
    k delete "$(pod_of "$1")" --force --grace-period 0 --ignore-not-found
  else
    kill_one "$1"
  fi
}

start() {
  case $on in
    local) ./kabar start "$(local_name "$1")" ;;
    compose)
      docker compose start "$1"
      await_healthy "$1" ;;
    kind)
      [ "$1" = outbox-relay ] || k scale "$(workload "$1")" --replicas 1
      k rollout status "$(workload "$1")" --timeout 180s ;;
  esac
}

await_healthy() { # compose's own start does not wait
  tries=120
  while docker compose ps --all --format '{{.Health}}' "$1" | grep -qvx healthy; do
    tries=$((tries - 1))
    if [ "$tries" -eq 0 ]; then
      printf '%s did not become healthy\n' "$1" >&2
      return 1
    fi
    sleep 1
  done
}

# Its connections stay open, and it does nothing.
freeze_one() {
  case $on in
    local)
      to_heal "./kabar thaw $1"
      ./kabar freeze "$1" ;;
    compose)
      frozen=$(container_of "$1")
      to_heal "docker unpause $frozen"
      docker pause "$frozen" ;;
    kind) # from its node, because within a container nobody can stop process 1
      frozen=$(docker exec kabar-control-plane crictl ps --quiet --name "$1" | head -n 1)
      frozen=$(docker exec kabar-control-plane crictl inspect --output go-template --template '{{.info.pid}}' "$frozen")
      to_heal "docker exec kabar-control-plane kill -CONT $frozen"
      docker exec kabar-control-plane kill -STOP "$frozen" ;;
  esac
}
