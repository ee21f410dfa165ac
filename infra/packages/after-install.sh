#!/bin/sh
# After the files are there, on a first installation and on an upgrade. Starts and restarts nothing: which server is
# restarted when, with leadership handed over before, is for an operator to say (conductor rolling).
set -e
root="${DPKG_ROOT:-}"
if command -v systemd-sysusers > /dev/null; then
  systemd-sysusers ${root:+--root="$root"} conductor.conf
fi
# Secrets go in here: for root and for the service's group. What you have deleted, linked or given to another group stays so.
group=$(grep '^conductor:' "$root/etc/group" 2> /dev/null | cut -d: -f3)
for path in "$root/etc/conductor" "$root/etc/conductor/conductor.env"; do
  if [ -n "$group" ] && [ -e "$path" ] && [ ! -L "$path" ] && [ "$(stat -c %g "$path")" = 0 ]; then
    chgrp "$group" "$path"
  fi
done
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
