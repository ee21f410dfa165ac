import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { ThrowawayCa, type CertificateRequest } from '#conductor/adapters/tcp/testing/throwaway-ca';
import type { RunConfig } from '#conductor/host/settings/flags-config';
import type { Subject } from './subject.ts';
import { checkTls } from './tls-check.ts';

const ca = new ThrowawayCa();

function check(request: CertificateRequest, key?: string): string[] {
  const folder = temporaryDirectory();
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const { certPem, keyPem } = ca.issue(request);
  const tls = {
    certFile: file('cert.pem', certPem),
    keyFile: file('key.pem', key ?? keyPem),
    caFile: file('ca.pem', ca.caPem),
    isMixed: false,
  };
  const config = { serverId: 'node-1', tls } as unknown as RunConfig;
  return checkTls({ config } as unknown as Subject, Date.now()).map(({ verdict, says }) => `${verdict}: ${says}`);
}

test('a certificate names the server, lasts, and goes with its key', () => {
  expect(check({ commonName: 'node-1', validDays: 90 })).toEqual([
    expect.stringMatching(/^good: the certificate names node-1/),
  ]);
  expect(check({ commonName: 'x', dnsNames: ['node-1'], validDays: 90 })[0]).toMatch(/^good/);
  expect(check({ commonName: 'node-2', validDays: 90 })).toEqual([
    expect.stringMatching(/^bad: the certificate names node-2, and this server is node-1/),
  ]);
  expect(check({ commonName: 'node-1', validDays: 5 })).toEqual([
    expect.stringMatching(/^warning: the certificate ends on .* in [45] days/),
  ]);
  expect(check({ commonName: 'node-1', validDays: -1 })).toEqual([
    expect.stringMatching(/^bad: the certificate ended on/),
  ]);
  expect(check({ commonName: 'node-1' }, ca.issue({ commonName: 'y' }).keyPem)).toEqual([
    expect.stringMatching(/^bad: the TLS key file .* holds another key/),
  ]);
  expect(checkTls({ config: { tls: null } } as unknown as Subject, 0)).toEqual([]);
});
