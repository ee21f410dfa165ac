/** Starts a console: the watches, the history and the server. `conductor console` and the devnet run it. */
import { mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { SecretFile } from '#conductor/adapters/auth/secret-file';
import { TokenList } from '#conductor/adapters/auth/token-list';
import { isLoopback } from '#conductor/adapters/system/loopback';
import { ConfigError } from '#conductor/core/errors';
import type { Logger } from '#conductor/core/ports';
import type { ClusterConfig } from '#conductor/operate/cluster-config';
import { Access } from './access.ts';
import { consoleApp } from './app.ts';
import { History } from './history.ts';
import { ConsoleListener, readTls, whyTooOpen, type ConsoleTls } from './listener.ts';
import { loadConsolePack } from './page-files.ts';
import { Watches, type Audit } from './watches.ts';

export const defaultConsolePort = 8560;
/** Between two looks at files of secrets and certificates. */
const pollMs = 500;

export interface ConsoleOptions {
  readonly clusters: readonly ClusterConfig[];
  readonly hostname: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Path of the database; ':memory:' for none. */
  readonly history: string;
  /** Names and tokens of those who may look, as of --rpc.auth.tokens-file; '' for none. */
  readonly tokensFile: string;
  /** Its own certificate; null for none. */
  readonly tls: ConsoleTls | null;
  /** Where browsers find the console, behind a proxy; null for where it listens. */
  readonly publicUrl: URL | null;
  /** Whether clusters may be changed from the page, by the commands of the operators' tool. */
  readonly mayChange: boolean;
  readonly version: string;
  readonly logger: Logger;
  /** The address that lets in once; called at the start and whenever one was used. */
  link(url: string): void;
}

export interface RunningConsole {
  readonly port: number;
  /** The address that lets in once, as it is now. */
  link(): string;
  /**
   * Changes that are under way end first: a first call lets the step in progress finish, a second one takes it back.
   * With `isHurried` nobody waits for them.
   */
  stop(options?: { readonly isHurried?: boolean }): Promise<void>;
}

/** The user of this process; by number where the system has no name for it. */
function whoStarted(): string {
  const { username, uid } = userInfo();
  return username === '' || username === 'unknown' ? `uid ${uid}` : username;
}

/** Throws ConfigError, ClusterConfigError or StartupError, each with a sentence. */
export async function startConsole(options: ConsoleOptions): Promise<RunningConsole> {
  const { hostname, tokensFile, logger, tls } = options;
  const why = whyTooOpen(options);
  if (why !== null) throw new ConfigError(why);
  if (tls !== null) readTls(tls);
  const tokens =
    tokensFile === ''
      ? null
      : new SecretFile({
          flag: 'tokens-file',
          path: tokensFile,
          logger,
          parse: (text) => new TokenList(text),
          reloaded: () => logger.log('info', 'the tokens file was read again', { path: tokensFile }),
        });
  if (tokens?.content.size === 0) throw new ConfigError(`--tokens-file: ${tokensFile} holds no token`);
  const pack = await loadConsolePack();
  if (options.history !== ':memory:') mkdirSync(dirname(options.history), { recursive: true });
  const audit: Audit = (action, fields) => logger.log('info', action, fields);
  const watches = new Watches(options.clusters, new History(options.history), audit);
  const place: { origin: string } = { origin: '' };
  const linkOf = (token: string): string => `${place.origin}enter/${token}`;
  const access = new Access({
    tokens,
    publicUrl: options.publicUrl,
    isLocal: isLoopback(hostname),
    isEncrypted: tls !== null,
    // Whoever is here has shown a certificate: it is enough to look.
    isOpenToLook: tls !== null && tls.clientCaFile !== '' && tokens === null,
    linkName: whoStarted(),
    nowMs: Date.now,
    renewed: (token) => options.link(linkOf(token)),
  });
  const app = consoleApp({
    access,
    pack,
    watches,
    streams: watches.streams,
    version: options.version,
    mayChange: options.mayChange,
    audit,
  });
  const listener = new ConsoleListener({ hostname, port: options.port, tls, app: app as never, logger });
  const name = hostname.includes(':') ? `[${hostname}]` : hostname;
  place.origin = options.publicUrl?.href ?? `${tls === null ? 'http' : 'https'}://${name}:${listener.port}/`;
  watches.start();
  options.link(linkOf(access.linkToken));
  const polling = setInterval(() => {
    tokens?.poll();
    void listener.poll();
  }, pollMs).unref();
  let hasStopped = false;
  return {
    port: listener.port,
    link: () => linkOf(access.linkToken),
    stop: async ({ isHurried = false } = {}) => {
      if (!isHurried) await watches.endChanges();
      if (hasStopped) return;
      hasStopped = true;
      clearInterval(polling);
      watches.close();
      await listener.stop();
    },
  };
}
