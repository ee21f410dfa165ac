#!/bin/sh
# Makes a throwaway certificate authority and one certificate per conductor, for mutual TLS on the raft
# port (--consensus.tls.*). Needs openssl only. The authority's key lies beside the certificates without a
# password: whoever has it can join the cluster. For production take the authority you have already, with
# the same names and usages in the certificates.
set -eu

ca_days=3650
days=365
renew=no

usage() {
  cat <<'USAGE'
usage: make-ca.sh [options] <folder> <server-id>...

Makes <folder>/ca.pem and ca.key, and for each server id <id>.pem and <id>.key. An authority that is in
the folder already is used again, so more servers can be added, and certificates renewed, later. A
server id is what --raft.server.id says: up to 64 letters, digits and . _ -

options:
  --days <n>     days a server's certificate is valid (365; 0 makes one that has expired, for tests)
  --ca-days <n>  days a new authority is valid (3650)
  --renew        replace the certificates and keys of these servers
  --help         print this

example:
  make-ca.sh ./tls node-1 node-2 node-3
  conductor --raft.server.id=node-1 --consensus.tls.cert=./tls/node-1.pem \
    --consensus.tls.key=./tls/node-1.key --consensus.tls.ca=./tls/ca.pem ...
USAGE
}

fail() {
  echo "make-ca.sh: $1" >&2
  exit 1
}

is_number() {
  case $1 in '' | *[!0-9]*) return 1 ;; esac
}

while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --renew) renew=yes; shift ;;
    --days | --ca-days)
      [ $# -ge 2 ] && is_number "$2" || fail "$1 needs a number of days"
      if [ "$1" = --days ]; then days=$2; else ca_days=$2; fi
      shift 2
      ;;
    -*) fail "unknown option $1; see --help" ;;
    *) break ;;
  esac
done
[ $# -ge 2 ] || { usage >&2; exit 1; }
command -v openssl >/dev/null 2>&1 || fail 'openssl is not installed, or not on the PATH'

folder=$1
shift
# Everything is checked before anything is written.
for id in "$@"; do
  case $id in '' | ca | [!A-Za-z0-9]* | *[!A-Za-z0-9._-]*) fail "\"$id\" cannot be a server id here; see --help" ;; esac
  [ "${#id}" -le 64 ] || fail "\"$id\" is longer than 64 characters"
  if [ "$renew" = no ] && { [ -e "$folder/$id.pem" ] || [ -e "$folder/$id.key" ]; }; then
    fail "$folder/$id.pem or .key exists; --renew replaces both"
  fi
done

umask 077
mkdir -p "$folder"
if [ -e "$folder/ca.pem" ] && [ ! -e "$folder/ca.key" ]; then
  fail "$folder/ca.pem has no ca.key beside it, so nothing can be signed"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Runs openssl, and shows what it says only when it fails.
quietly() {
  "$@" >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "openssl failed: $*"; }
}

new_key() {
  quietly openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
}

# Names in a configuration file: some openssl versions know no -addext, others insist on a file.
write_config() {
  cat >"$work/config" <<CONFIG
[req]
prompt = no
distinguished_name = name
[name]
CN = $1
[ca]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = DNS:$1
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
CONFIG
}

serial() {
  printf '0x00%s' "$(openssl rand -hex 16)"
}

if [ ! -e "$folder/ca.pem" ]; then
  write_config 'conductor throwaway ca'
  new_key "$work/ca.key"
  quietly openssl req -new -x509 -sha256 -config "$work/config" -extensions ca -key "$work/ca.key" \
    -days "$ca_days" -set_serial "$(serial)" -out "$work/ca.pem"
  mv "$work/ca.key" "$folder/ca.key"
  mv "$work/ca.pem" "$folder/ca.pem"
fi

for id in "$@"; do
  write_config "$id"
  new_key "$work/server.key"
  quietly openssl req -new -sha256 -config "$work/config" -key "$work/server.key" -out "$work/server.csr"
  quietly openssl x509 -req -sha256 -in "$work/server.csr" -CA "$folder/ca.pem" -CAkey "$folder/ca.key" \
    -set_serial "$(serial)" -days "$days" -extfile "$work/config" -extensions server -out "$work/server.pem"
  mv "$work/server.key" "$folder/$id.key"
  mv "$work/server.pem" "$folder/$id.pem"
  echo "$folder/$id.pem and $folder/$id.key"
done

echo "$folder/ca.pem is for every conductor; $folder/ca.key is for none of them: keep it elsewhere, or delete it"
