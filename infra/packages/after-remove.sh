#!/bin/sh
# After the files are gone. The store, the settings and the user stay: whoever takes a server out of its cluster says so
# first (conductor leave). What dpkg calls a purge is the operator's word for the rest; only the user stays then, since
# files elsewhere may be its own. An rpm has no purge.
set -e
root="${DPKG_ROOT:-}"
if [ "$1" = purge ]; then
  # A volume that is mounted there is emptied; its folder cannot go.
  rm -rf "$root/var/lib/conductor" "$root/etc/conductor" || true
fi
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
