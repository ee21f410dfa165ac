#!/bin/sh
# After the files are gone. The store, the settings and the user stay: whoever takes a server out of its cluster says so
# first (conductor leave), and then deletes /var/lib/conductor.
set -e
if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
