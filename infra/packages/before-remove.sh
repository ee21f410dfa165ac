#!/bin/sh
# Before the files go. An upgrade (deb: upgrade, rpm: 1) leaves the service running on the old binary; a removal ends it in
# order, which hands leadership over first.
set -e
case "$1" in
  remove | 0)
    if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
      systemctl disable --now conductor.service || true
    fi
    ;;
esac
