#!/usr/bin/env bash
# Removes the kind cluster of Kabar, and all its data.
set -euo pipefail
command -v kind >/dev/null || { echo 'down.sh: kind is not installed, so there is no cluster to remove' >&2; exit 1; }
kind delete cluster --name kabar
