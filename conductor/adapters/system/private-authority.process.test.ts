/** The compiled binary trusts the authorities of its machine, as Go's programs do: a folder of certificates, or one file. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compiledConductor } from '../../../tests/cluster/conductor-command.ts';
import { waitFor } from '../../../tests/cluster/wait.ts';

const startMsMax = 30_000;

/** A certificate for this machine that signs itself, in a folder where no file is named by its hash. */
function authority(): { readonly folder: string; readonly cert: string; readonly key: string } {
  const work = mkdtempSync(join(tmpdir(), 'conductor-authority-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const folder = join(work, 'certs');
  mkdirSync(folder);
  const [cert, key] = [join(folder, 'private.pem'), join(work, 'key')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=private',
  ];
  const { status } = spawnSync('openssl', [
    ...words,
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-out',
    cert,
    '-keyout',
    key,
  ]);
  expect(status).toBe(0);
  return { folder, cert, key };
}

test.runIf(process.platform === 'linux').each<[string, boolean]>([
  ['SSL_CERT_DIR', true],
  ['SSL_CERT_FILE', true],
  ['none', false],
])('of a private authority in %s: a node with its certificate is asked: %s', async (variable, isTrusted) => {
  const { folder, cert, key } = authority();
  let asked = 0;
  await using node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert: Bun.file(cert), key: Bun.file(key) },
    fetch: () => {
      asked += 1;
      return new Response('no answer', { status: 500 });
    },
  });
  const isForeign = ([name]: [string, unknown]): boolean =>
    !/^(OP_CONDUCTOR_|SSL_CERT_|NODE_EXTRA_CA_CERTS$)/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(isForeign));
  const given = { SSL_CERT_DIR: folder, SSL_CERT_FILE: cert }[variable];
  const url = `https://127.0.0.1:${node.port}`;
  const flags = [
    ...['--consensus.addr=127.0.0.1', '--consensus.port=0', '--raft.server.id=a', '--raft.storage.dir=/nowhere'],
    ...[`--node.rpc=${url}`, `--execution.rpc=${url}`, '--network=op-mainnet', '--rpc.port=0'],
    ...['--healthcheck.interval=1', '--healthcheck.unsafe-interval=5', '--healthcheck.min-peer-count=1'],
  ];
  const child = Bun.spawn([compiledConductor(), ...flags], {
    env: { ...env, ...(given === undefined ? {} : { [variable]: given }) },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  onTestFinished(() => child.kill('SIGKILL'));
  let output = '';
  void (async () => {
    for await (const chunk of child.stdout) output += new TextDecoder().decode(chunk);
  })();
  await waitFor('a first try', startMsMax, () => (/waiting for the node/.test(output) ? true : null));
  expect([asked > 0, /certificate/.test(output)]).toEqual([isTrusted, !isTrusted]);
});
