/**
 * Where the console listens: plainly, behind its own certificate, or for those alone who show one of an authority.
 * Renewed files are taken into use by listening again, which pages survive: they come back by themselves.
 */
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { listenHttp, type HttpEnv, type HttpListener, type HttpServerOptions } from '#conductor/adapters/http/server';
import { FileWatch } from '#conductor/adapters/system/file-watch';
import { isLoopback } from '#conductor/adapters/system/loopback';
import { ConfigError, messageOf } from '#conductor/core/errors';
import type { Logger } from '#conductor/core/ports';
import { bind } from '#conductor/host/bind';

/** Longest wait for answers under way, milliseconds. */
const drainMs = 300;

/** Paths of PEM files. */
export interface ConsoleTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities of the certificates that browsers have to show; '' where none is asked for. */
  readonly clientCaFile: string;
}

export interface ConsoleListenerOptions {
  readonly hostname: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly tls: ConsoleTls | null;
  readonly app: Hono<HttpEnv>;
  readonly logger: Logger;
}

/** What has to be so beyond loopback. */
export interface Exposure {
  readonly hostname: string;
  readonly tls: ConsoleTls | null;
  readonly tokensFile: string;
  readonly publicUrl: URL | null;
}

/** Why the console must not listen there, with what to give; null where it may. */
export function whyTooOpen({ hostname, tls, tokensFile, publicUrl }: Exposure): string | null {
  if (isLoopback(hostname)) return null;
  const isMutual = tls !== null && tls.clientCaFile !== '';
  if (tokensFile === '' && !isMutual)
    return `whoever reaches ${hostname} would see all clusters: give --tokens-file with the names and tokens of those who may, or --tls-client-ca with the authority of their certificates, or listen on 127.0.0.1`;
  if (tls === null && publicUrl?.protocol !== 'https:')
    return `tokens and cookies would travel in the open to ${hostname}: give --tls-cert and --tls-key, or --public-url https://… of the proxy that brings TLS, or listen on 127.0.0.1`;
  return null;
}

export class ConsoleListener {
  readonly port: number;
  readonly #options: ConsoleListenerOptions;
  readonly #watch: FileWatch | null;
  #listener: HttpListener;
  /** The port could not be had back: nobody is served until it is. */
  #isDown = false;
  #isPolling = false;
  #hasStopped = false;

  /** Listens; throws ConfigError for files that cannot be used, StartupError where the port is taken. */
  constructor(options: ConsoleListenerOptions) {
    const { tls, port } = options;
    this.#options = options;
    this.#watch = tls === null ? null : new FileWatch([tls.certFile, tls.keyFile, tls.clientCaFile].filter(Boolean));
    this.#listener = this.#listen(port, tls === null ? undefined : readTls(tls));
    this.port = this.#listener.port;
  }

  /** Takes changed files into use; to be called now and then. What cannot be used changes nothing but the log. */
  async poll(): Promise<void> {
    const { tls } = this.#options;
    if (tls === null || this.#isPolling || this.#hasStopped) return;
    const hasChanged = this.#watch?.hasChanged() === true;
    if (!hasChanged && !this.#isDown) return;
    this.#isPolling = true;
    try {
      await this.#listenAgain(tls);
    } finally {
      this.#isPolling = false;
    }
  }

  async stop(): Promise<void> {
    this.#hasStopped = true;
    if (!this.#isDown) await this.#listener.stop(drainMs);
  }

  async #listenAgain(tls: ConsoleTls): Promise<void> {
    const { logger } = this.#options;
    const wasDown = this.#isDown;
    try {
      const files = readTls(tls);
      if (!wasDown) await this.#listener.stop(drainMs);
      if (this.#hasStopped) return;
      this.#isDown = true;
      this.#listener = this.#listen(this.port, files);
      this.#isDown = false;
      logger.log('info', 'the certificate of the console was read again', { path: tls.certFile });
    } catch (error) {
      // Said once: it is tried again with each poll.
      if (wasDown) return;
      const text = this.#isDown
        ? 'the console cannot listen again'
        : 'the changed certificate of the console cannot be used';
      logger.log('error', text, { err: messageOf(error) });
    }
  }

  #listen(port: number, files: ReturnType<typeof readTls> | undefined): HttpListener {
    const { hostname, app } = this.#options;
    return bind(
      `${hostname}:${port}`,
      'console',
      () =>
        listenHttp({
          hostname,
          port,
          app,
          headRefused: () => undefined,
          ...(files === undefined ? {} : { tls: files }),
        }),
      'another console may run already; --listen chooses another port',
    );
  }
}

/** The texts of the files; throws ConfigError where the runtime would refuse everybody with them, or let in anybody. */
export function readTls({ certFile, keyFile, clientCaFile }: ConsoleTls): NonNullable<HttpServerOptions['tls']> {
  const read = (flag: string, path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw new ConfigError(`${flag}: ${messageOf(error)}`, { cause: error });
    }
  };
  const parse = <Value>(flag: string, path: string, make: () => Value): Value => {
    try {
      return make();
    } catch (error) {
      throw new ConfigError(`${flag}: ${path} holds none that can be used`, { cause: error });
    }
  };
  const cert = read('--tls-cert', certFile);
  const key = read('--tls-key', keyFile);
  const certificate = parse('--tls-cert', certFile, () => new X509Certificate(cert));
  const own = parse('--tls-key', keyFile, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(own)) throw new ConfigError(`--tls-key: ${keyFile} is not the key of ${certFile}`);
  if (clientCaFile === '') return { cert, key };
  const clientCa = read('--tls-client-ca', clientCaFile);
  parse('--tls-client-ca', clientCaFile, () => new X509Certificate(clientCa));
  return { cert, key, clientCa };
}
