/**
 * When the certificates of a server end: the one it shows on an https RPC port, and the one of its raft port, which its
 * metrics page tells. What cannot be asked is unknown, and no trouble.
 */
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { readCredentialFile } from '#conductor/operate/pem-file';
import type { ServerConfig } from '#conductor/operate/cluster-config';
import { votersOf, type ClusterView } from '#conductor/operate/cluster-view';
import { parseMetrics } from '#conductor/operate/metrics-page';
import { RpcEndpoint } from '#conductor/operate/rpc-endpoint';

const askMsMax = 5000;
const expirySample = 'op_conductor_tls_certificate_expiry_seconds';
/** Time before the end from which on it is told. */
const noticeMs = 14 * 24 * 3600 * 1000;

/** Between two looks. */
const lookMs = 600_000;

/** Those of a cluster, read again now and then. */
export class CertificateWatch {
  readonly #servers: readonly ServerConfig[];
  #ends: readonly (number | null)[] = [];
  #lookedAtMs = -Infinity;

  constructor(servers: readonly ServerConfig[]) {
    this.#servers = servers;
  }

  /** When the first certificate of the server in this place ends, Unix milliseconds; null where that is not known. */
  endMs(place: number): number | null {
    return this.#ends[place] ?? null;
  }

  /** Reads them where it is time; whether it has. */
  async look(nowMs: number): Promise<boolean> {
    if (nowMs - this.#lookedAtMs < lookMs) return false;
    this.#lookedAtMs = nowMs;
    this.#ends = await Promise.all(this.#servers.map((server) => certificateEndMs(server)));
    return true;
  }
}

/** The earlier end of both, Unix milliseconds; null where neither is known. */
export async function certificateEndMs(server: ServerConfig): Promise<number | null> {
  const ends = await Promise.all([
    shownEndMs(server).catch(() => null),
    server.metrics === null ? null : raftEndMs(server.metrics).catch(() => null),
  ]);
  const known = ends.filter((end) => end !== null);
  return known.length === 0 ? null : Math.min(...known);
}

async function raftEndMs(url: string): Promise<number | null> {
  const { text } = await new RpcEndpoint(url).page('/metrics', askMsMax);
  const seconds = parseMetrics(text).values.get(expirySample);
  return seconds === undefined ? null : seconds * 1000;
}

/** Whoever it is: the end is read of a certificate that is not valid any more, too. Nothing is sent. */
async function shownEndMs({ conductor, credentials }: ServerConfig): Promise<number | null> {
  const { protocol, hostname, port } = new URL(conductor);
  if (protocol !== 'https:') return null;
  const { clientCertFile, clientKeyFile } = credentials;
  const shown =
    clientCertFile === null || clientKeyFile === null
      ? {}
      : {
          cert: readCredentialFile(clientCertFile, 'client-cert-file'),
          key: readCredentialFile(clientKeyFile, 'client-key-file'),
        };
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  // An address is no name for TLS (RFC 6066, section 3), and is refused as one.
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ host, port: Number(port) || 443, ...name, rejectUnauthorized: false, ...shown });
  socket.setTimeout(askMsMax, () => socket.destroy(new Error('no answer')));
  socket.once('error', reject);
  socket.once('secureConnect', () => {
    const end = Date.parse(socket.getPeerCertificate().valid_to ?? '');
    resolve(Number.isNaN(end) ? null : end);
    socket.destroy();
  });
  return promise;
}

/** A certificate of a server that ends soon, or has ended, as a sentence; null where there is time. */
export function whyRenewing(id: string, endMs: number | null, nowMs: number): string | null {
  if (endMs === null || endMs - nowMs > noticeMs) return null;
  const day = new Date(endMs).toISOString().slice(0, 10);
  return endMs <= nowMs ? `the certificate of ${id} has ended on ${day}` : `the certificate of ${id} ends on ${day}`;
}

/** A zone without which too few voters are left, as a sentence; null where there is none, or zones are not all known. */
export function whyOneZone(view: ClusterView): string | null {
  const voters = votersOf(view);
  const zones = voters.map((voter) => view.servers.find(({ id }) => id === voter.id)?.config.zone);
  if (zones.length < 2 || zones.includes(undefined)) return null;
  const needed = Math.floor(voters.length / 2) + 1;
  const heavy = zones.find((zone) => zones.filter((one) => one !== zone).length < needed);
  return heavy === undefined ? null : `without zone ${heavy} too few voters are left for a majority`;
}
