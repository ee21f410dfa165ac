/** A kube-apiserver over its own etcd, on loopback, with nobody behind it: it judges, and keeps. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from './render.ts';

const CALL_MS_MAX = 60_000;
/** Of what a program wrote, into an error. */
const TAIL_LENGTH = 1500;
const HOST = '127.0.0.1';

export interface Verdict {
  readonly status: number;
  /** The object as the server keeps it, or its reasons. */
  readonly body: { readonly message?: string; readonly metadata?: { readonly resourceVersion?: string } };
  readonly warning: string | null;
}

interface Discovered {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export class ApiServer {
  readonly #children: Bun.Subprocess[] = [];
  readonly #token = randomUUID();
  readonly #url: string;
  readonly #etcdUrls: readonly [string, string];
  readonly #folder: string;

  /** `folder` holds its state; the ports are free ones, of the server and of etcd for clients and peers. */
  constructor(folder: string, [secure, client, peer]: readonly [number, number, number]) {
    this.#url = `https://${HOST}:${secure}`;
    this.#etcdUrls = [`http://${HOST}:${client}`, `http://${HOST}:${peer}`];
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Returns at once; ask `isReady` until it is. */
  start(programs: { readonly etcd: string; readonly apiServer: string }): void {
    const [client, peer] = this.#etcdUrls;
    const file = (name: string): string => join(this.#folder, name);
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    writeFileSync(file('accounts.key'), privateKey, { mode: 0o600 });
    writeFileSync(file('accounts.pub'), publicKey);
    writeFileSync(file('tokens.csv'), `${this.#token},tester,tester,system:masters\n`, { mode: 0o600 });
    this.#spawn('etcd', [
      programs.etcd,
      ...[`--data-dir=${file('etcd')}`, '--unsafe-no-fsync', '--log-level=error'],
      ...[`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`, `--listen-peer-urls=${peer}`],
      ...[`--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`],
    ]);
    this.#spawn('kube-apiserver', [
      programs.apiServer,
      ...[`--etcd-servers=${client}`, `--secure-port=${new URL(this.#url).port}`, `--bind-address=${HOST}`],
      ...[`--cert-dir=${file('certificates')}`, `--token-auth-file=${file('tokens.csv')}`],
      ...[`--service-account-key-file=${file('accounts.pub')}`, '--service-account-issuer=https://localhost'],
      ...[`--service-account-signing-key-file=${file('accounts.key')}`, '--service-cluster-ip-range=10.96.0.0/16'],
      ...['--authorization-mode=AlwaysAllow', '--endpoint-reconciler-type=none'],
    ]);
  }

  /** Rejects while nobody answers, and for good when a program has ended. */
  async isReady(): Promise<boolean> {
    return (await this.#call('GET', '/readyz')).status === 200;
  }

  /** Server-side apply with strict fields; `isDryRun` keeps nothing. */
  async apply(resource: Resource, isDryRun = false): Promise<Verdict> {
    const path = `${await this.#collection(resource)}/${resource.metadata.name}`;
    const query = `fieldManager=test&force=true&fieldValidation=Strict${isDryRun ? '&dryRun=All' : ''}`;
    return this.#call('PATCH', `${path}?${query}`, resource, 'application/apply-patch+yaml');
  }

  /** What admission says of a new object, which is not kept. */
  async tryCreate(resource: Resource): Promise<Verdict> {
    return this.#call('POST', `${await this.#collection(resource)}?dryRun=All&fieldValidation=Strict`, resource);
  }

  async remove(resource: Resource): Promise<Verdict> {
    return this.#call('DELETE', `${await this.#collection(resource)}/${resource.metadata.name}`);
  }

  async stop(): Promise<void> {
    for (const child of this.#children.toReversed()) {
      child.kill('SIGTERM');
      await child.exited;
    }
  }

  #spawn(name: string, words: string[]): void {
    const log = Bun.file(join(this.#folder, `${name}.log`));
    const child = Bun.spawn(words, { stdin: 'ignore', stdout: log, stderr: log });
    this.#children.push(child);
  }

  async #collection({ apiVersion, kind, metadata }: Resource): Promise<string> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = (await this.#call('GET', root)).body as { resources?: Discovered[] };
    const found = resources?.find((one) => one.kind === kind && !one.name.includes('/'));
    if (found === undefined) throw new Error(`the server knows no ${kind} in ${apiVersion}`);
    return `${root}/${found.namespaced ? `namespaces/${metadata.namespace ?? 'default'}/` : ''}${found.name}`;
  }

  async #call(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Verdict> {
    const ended = this.#children.find((child) => child.exitCode !== null);
    if (ended !== undefined) throw new Error(`a program ended with ${ended.exitCode}: ${await this.#logs()}`);
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_MS_MAX),
      // Its certificate is one that it made for itself a moment ago.
      tls: { rejectUnauthorized: false },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const parsed = (isJson ? JSON.parse(text) : { message: text }) as Verdict['body'];
    return { status: response.status, body: parsed, warning: response.headers.get('warning') };
  }

  async #logs(): Promise<string> {
    const texts = ['etcd', 'kube-apiserver'].map((name) => Bun.file(join(this.#folder, `${name}.log`)).text());
    return (await Promise.all(texts)).map((text) => text.slice(-TAIL_LENGTH)).join('\n');
  }
}
