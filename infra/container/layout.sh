#!/bin/sh
# Lays out the file system of the image, in two folders: "root", the binary, the libraries that it names, and the few
# files that name resolution and a non-root user need; and "state", what that user owns under /var/lib. Run inside the
# builder's Debian, whose libraries are copied; the tests run it on this machine and start the result.
set -eu

usage="usage: layout.sh <folder with conductor-linux-x64 and -arm64> <folder to make> [user and group id]"
[ $# -ge 2 ] || { echo "$usage" >&2; exit 2; }
binaries=$1
image=$2
root=$image/root
id=${3:-10001}

case $(uname -m) in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) echo "layout.sh: there is no binary for $(uname -m)" >&2; exit 1 ;;
esac
binary=$binaries/conductor-linux-$machine
[ -x "$binary" ] || { echo "layout.sh: $binary is missing or not executable: npm run build of the repository makes it, a release has it" >&2; exit 1; }
[ ! -e "$image" ] || { echo "layout.sh: $image exists already" >&2; exit 1; }

# A library that cannot be found is a line "name => not found".
libraries=$(ldd "$binary" | awk '$2 == "=>" { print ($3 == "not" ? "missing:" $1 : $3) } $1 ~ /^\// { print $1 }')
for library in $libraries; do
  case $library in
    missing:*) echo "layout.sh: ${library#missing:} is not installed here" >&2; exit 1 ;;
  esac
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
  # What the C library opens by itself to resolve names, where it has not got it inside.
  case $library in
    */libc.so.6)
      for name in libnss_files.so.2 libnss_dns.so.2 libresolv.so.2; do
        beside=$(dirname "$library")/$name
        [ ! -e "$beside" ] || cp -L "$beside" "$root$beside"
      done
      ;;
  esac
done
cp "$binary" "$root/conductor"
chmod 0755 "$root/conductor"
# Where op-conductor's image has its program, for manifests that name it; a link, since builders may copy a second name.
mkdir -p "$root/usr/local/bin"
ln -s /conductor "$root/usr/local/bin/op-conductor"

# The runtime mounts over the first three; a read-only root cannot make them later.
mkdir -p "$root/proc" "$root/dev" "$root/sys" "$root/etc" "$root/tmp" "$root/var/lib" "$image/state/conductor"
chmod 1777 "$root/tmp"
echo "conductor:x:$id:$id:conductor:/var/lib/conductor:/nonexistent" >"$root/etc/passwd"
echo "conductor:x:$id:" >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
