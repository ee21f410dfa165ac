/**
 * Certificates over time: takes renewed files into use without a restart, refuses ones that nobody would
 * accept, and tells the operator when ours is about to expire, since an expired one cuts a conductor off.
 */
import { ConfigError, messageOf } from '#conductor/core/errors';
import type { Logger, Metrics } from '#conductor/core/ports';
import { FileWatch, fileWatchMs } from '../system/file-watch.ts';
import { readOwnCertificate, type TlsSettings } from './tls.ts';

const DAY_MS = 86_400_000;
/** Time before the expiry at which to warn. */
const NOTICE_MS = 14 * DAY_MS;
/** A closed port is told again this often. */
const CLOSED_AGAIN_MS = 60_000;

/** What accepts connections. */
export interface RenewableListener {
  /** Takes the files into use for new connections; throws when they cannot be used, and when the port is lost. */
  reload(): void;
  /** False once the port is lost. */
  readonly isListening: boolean;
  /** Opens a lost port with the files that were taken; throws when it cannot. */
  listenAgain(): void;
}

export interface TlsWatchOptions {
  readonly settings: TlsSettings;
  readonly serverId: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly listener: RenewableListener;
  /** Wall clock, Unix milliseconds. */
  nowMs(): number;
}

export class TlsWatch {
  readonly #options: TlsWatchOptions;
  readonly #watch: FileWatch;
  readonly #timer: ReturnType<typeof setInterval>;
  #validToMs = 0;
  /** What was said of the expiry: not to be said again. */
  #said = '';
  /** When a closed port was last told of. */
  #closedSaidMs = -Infinity;

  /** Throws ConfigError when our certificate is not one of this server. */
  constructor(options: TlsWatchOptions) {
    const { certFile, keyFile, caFile } = options.settings;
    this.#options = options;
    this.#watch = new FileWatch([certFile, keyFile, caFile]);
    this.#inspect();
    this.#reportExpiry();
    this.#timer = setInterval(() => this.poll(), fileWatchMs).unref();
  }

  /** Looks at the files and the clock. */
  poll(): void {
    if (this.#watch.hasChanged()) this.#renew();
    else if (!this.#options.listener.isListening) this.#listenAgain();
    this.#reportExpiry();
  }

  /** Reads the files now, changed or not, because somebody asked for it. */
  reload(): void {
    this.#watch.know();
    this.#renew();
    this.#reportExpiry();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #renew(): void {
    const { logger, listener } = this.#options;
    const before = this.#validToMs;
    try {
      this.#inspect();
      listener.reload();
    } catch (thrown) {
      if (!listener.isListening) {
        this.#reportClosed(thrown);
        return;
      }
      this.#validToMs = before;
      logger.log('warn', 'the TLS files cannot be used as they are now: the listener keeps those it has', {
        err: messageOf(thrown),
      });
      return;
    }
    this.#reportTaken();
  }

  #listenAgain(): void {
    const { logger, listener } = this.#options;
    try {
      listener.listenAgain();
    } catch (thrown) {
      this.#reportClosed(thrown);
      return;
    }
    logger.log('info', 'the raft port is open again', {});
    this.#reportTaken();
  }

  #reportTaken(): void {
    const { logger, settings } = this.#options;
    this.#closedSaidMs = -Infinity;
    const validTo = new Date(this.#validToMs).toISOString();
    logger.log('info', 'read the TLS files again, for new connections', { cert: settings.certFile, validTo });
  }

  /** Others cannot connect to us, which is as bad as it is long: told at once, and again each minute. */
  #reportClosed(thrown: unknown): void {
    const { logger, metrics, nowMs } = this.#options;
    if (Math.abs(nowMs() - this.#closedSaidMs) < CLOSED_AGAIN_MS) return;
    this.#closedSaidMs = nowMs();
    metrics.count('alarms_total', { kind: 'port-closed' });
    logger.log('error', 'the raft port is closed: it could not be opened again with the new TLS files', {
      err: messageOf(thrown),
    });
  }

  #inspect(): void {
    const { settings, serverId } = this.#options;
    const { names, validToMs } = readOwnCertificate(settings);
    if (!names.includes(serverId)) {
      const holder = [...new Set(names)].join(', ') || 'nobody';
      throw new ConfigError(
        `the certificate ${settings.certFile} is for ${holder}, not for the server id ${serverId}: no conductor would talk to this one`,
      );
    }
    this.#validToMs = validToMs;
  }

  #reportExpiry(): void {
    const { logger, metrics, nowMs, settings } = this.#options;
    metrics.gauge('tls_certificate_expiry_seconds', this.#validToMs / 1000);
    const leftMs = this.#validToMs - nowMs();
    const state = leftMs <= 0 ? 'has expired: other conductors refuse it' : leftMs < NOTICE_MS ? 'expires soon' : '';
    const word = `${state} ${this.#validToMs}`;
    if (state === '' || word === this.#said) return;
    this.#said = word;
    const validTo = new Date(this.#validToMs).toISOString();
    logger.log(leftMs <= 0 ? 'error' : 'warn', `the TLS certificate of this conductor ${state}`, {
      cert: settings.certFile,
      validTo,
    });
  }
}
