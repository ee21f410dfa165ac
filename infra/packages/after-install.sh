#!/bin/sh
# After the files are there, on a first installation and on an upgrade. Starts and restarts nothing: which server is
# restarted when, with leadership handed over before, is for an operator to say (conductor rolling).
set -e
root="${DPKG_ROOT:-}"
if command -v systemd-sysusers > /dev/null; then
  systemd-sysusers ${root:+--root="$root"} conductor.conf
fi
# Secrets go in here: for root and for the service's group.
if group=$(grep '^conductor:' "$root/etc/group" 2> /dev/null | cut -d: -f3) && [ -n "$group" ]; then
  chgrp "$group" "$root/etc/conductor" "$root/etc/conductor/conductor.env"
fi
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
