/**
 * Which cluster a command is about: `--rpc URL,URL`, else `--cluster FILE`, else the file that CONDUCTOR_CLUSTER
 * names, else ./conductor.toml where there is one.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { bareServer, ClusterConfigError, type ClusterConfig, type ServerConfig } from './cluster-config.ts';
import { isHttpUrl, readClusterFile } from './cluster-file.ts';

/** The file that is read when nothing names one. */
const DEFAULT_FILE = 'conductor.toml';
export const CLUSTER_VARIABLE = 'CONDUCTOR_CLUSTER';

/** What the command line says; undefined for what it does not. */
export interface ClusterFlags {
  readonly cluster?: string | undefined;
  readonly rpc?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly caFile?: string | undefined;
}

/** The cluster; throws ClusterConfigError with a sentence that says how to name one. */
export function chooseCluster(flags: ClusterFlags, environment: NodeJS.ProcessEnv): ClusterConfig {
  if (flags.rpc !== undefined && flags.cluster !== undefined)
    throw new ClusterConfigError('--rpc and --cluster name two clusters; give one of them');
  const config = flags.rpc === undefined ? fromFile(flags, environment) : fromUrls(flags.rpc);
  return { ...config, servers: config.servers.map((server) => withFlags(server, flags)) };
}

function fromFile({ cluster }: ClusterFlags, environment: NodeJS.ProcessEnv): ClusterConfig {
  const named = cluster ?? environment[CLUSTER_VARIABLE];
  if (named !== undefined && named !== '') return readClusterFile(named);
  if (existsSync(DEFAULT_FILE)) return readClusterFile(DEFAULT_FILE);
  throw new ClusterConfigError(
    `which cluster? Give --rpc with the conductors' URLs, or --cluster FILE (${CLUSTER_VARIABLE} in the environment, or ./${DEFAULT_FILE})`,
  );
}

/** An id before the URL of its conductor; what holds a colon or a slash is the URL. */
const NAMED = /^([^=:/]+)=(.*)$/s;

/** Servers of which the URL is known, and the id where it is given. */
function fromUrls(list: string): ClusterConfig {
  const given = list.split(',').map((word) => {
    const [, id = null, url = word] = NAMED.exec(word.trim()) ?? [];
    return { id: id?.trim() ?? null, url: url.trim() };
  });
  for (const { url } of given) {
    if (!isHttpUrl(url)) throw new ClusterConfigError(`--rpc: "${withoutSecrets(url)}" is not an http or https URL`);
  }
  const labels = given.map(({ url }) => new URL(url).host);
  for (const names of [labels, given.flatMap(({ id }) => id ?? [])]) {
    const twin = names.find((name, at) => names.indexOf(name) !== at);
    if (twin !== undefined) throw new ClusterConfigError(`--rpc names ${twin} twice`);
  }
  const servers = given.map(({ id, url }) => ({ ...bareServer(id ?? new URL(url).host, url), isLearnt: id === null }));
  return { name: labels[0] ?? '', path: null, servers };
}

function withFlags(server: ServerConfig, { tokenFile, caFile }: ClusterFlags): ServerConfig {
  const { credentials } = server;
  return {
    ...server,
    credentials: {
      ...credentials,
      tokenFile: tokenFile === undefined ? credentials.tokenFile : resolve(tokenFile),
      caFile: caFile === undefined ? credentials.caFile : resolve(caFile),
    },
  };
}

/** A text that was meant to be a URL, without the user and password that it may hold. */
function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^@/]*@/, '//');
}
