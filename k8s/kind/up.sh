#!/usr/bin/env bash
# Kabar in a local kind cluster: makes the cluster, builds and loads the images, applies k8s/overlays/kind and waits.
# Run it again at any time: after a change it brings the new images and manifests.
set -euo pipefail
cd "$(dirname "$0")/../.."

die() { printf 'up.sh: %s\n' "$*" >&2; exit 1; }
say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
need() { command -v "$1" >/dev/null || die "$1 is not installed: $2"; }

need docker 'it runs the cluster and builds the images'
need kind 'see kind.sigs.k8s.io, "Quick Start"'
need kubectl 'see kubernetes.io, "Install Tools"'
docker info >/dev/null 2>&1 || die 'no Docker engine answers: start it, and see that you may use it'
kubectl() { command kubectl --context kind-kabar --namespace kabar "$@"; }

if ! kind get clusters 2>/dev/null | grep -qx kabar; then
  say 'making the cluster'
  kind create cluster --config k8s/kind/cluster.yaml --wait 120s --quiet
fi

say 'building the images (the first time takes some minutes)'
docker compose build --quiet
mapfile -t images < <(docker compose config --images | grep '^kabar/' | sort -u)
say "loading ${images[*]}"
kind load docker-image --name kabar --quiet "${images[@]}"

say 'applying k8s/overlays/kind'
running=$(kubectl get deployment --output name 2>/dev/null || true)
kubectl apply -k k8s/overlays/kind >/dev/null
# A new image has the old one's tag, so what ran before is told to start anew.
[ -z "$running" ] || kubectl rollout restart $running >/dev/null
say 'waiting until all of it is ready'
for kind in statefulset deployment; do
  for one in $(kubectl get "$kind" --output name); do
    kubectl rollout status "$one" --timeout 300s >/dev/null ||
      die "$one is not ready; look at: kubectl --context kind-kabar -n kabar describe $one"
  done
done

say 'ready'
cat <<'TEXT'

Place an order, pay it, and see its email:
  curl -s localhost:8080/orders -H 'Content-Type: application/json' -d '{"customerEmail":"ani@example.com","totalAmount":150000}'
  curl -s -X POST localhost:8080/orders/ID/pay
  and look at http://localhost:8089/

Break it:
  kubectl --context kind-kabar -n kabar delete pod --selector app.kubernetes.io/name=outbox-relay --grace-period 0 --force
  kubectl --context kind-kabar -n kabar scale deployment outbox-relay --replicas 4
  kubectl --context kind-kabar -n kabar rollout restart statefulset kafka

Remove it: k8s/kind/down.sh
TEXT
