import { expect, test } from 'vitest';
import { pageAccess, warnOfExposure } from './exposure.ts';

type Exposed = Parameters<typeof warnOfExposure>[0];

const auth = { tokensFile: 'x', jwtSecretFile: '' };
const tls = { certFile: 'x', keyFile: 'x', caFile: 'x', isMixed: false };
const local: Exposed = {
  rpc: { hostname: '127.0.0.1', port: 8545, bodyBytesMax: 1, batchItemsMax: 1 },
  consensus: { hostname: '127.0.0.1', port: 50050, advertised: '' },
  isAdminEnabled: false,
  auth: null,
  tls: null,
};
const openRpc = { ...local.rpc, hostname: '0.0.0.0' };
const openRaft = { ...local.consensus, hostname: '::' };

function warnings(config: Partial<Exposed>): string[] {
  const lines: string[] = [];
  const log = (level: string, message: string, fields = {}): void =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  warnOfExposure({ ...local, ...config }, { log });
  return lines;
}

test.each<[string, Partial<Exposed>, RegExp | null]>([
  ['on loopback alone', { isAdminEnabled: true }, null],
  ['reads for everybody', { rpc: openRpc }, null],
  [
    'admin methods for everybody',
    { rpc: openRpc, isAdminEnabled: true },
    /^warn ADMIN METHODS ARE OPEN.*0\.0\.0\.0:8545/,
  ],
  ['admin methods behind tokens', { rpc: openRpc, isAdminEnabled: true, auth }, null],
  ['tokens for methods that are off', { auth }, /^warn admin methods are off.*--rpc\.enable-admin/],
  ['raft for everybody', { consensus: openRaft }, /^warn the raft port has no authentication.*:::50050/],
  ['raft behind mutual TLS', { consensus: openRaft, tls }, null],
  [
    'raft behind TLS that is not required',
    { consensus: openRaft, tls: { ...tls, isMixed: true } },
    /^warn the raft port takes plain text beside TLS.*:::50050/,
  ],
])('%s', (_, config, expected) => {
  const lines = warnings(config);
  expect(lines).toHaveLength(expected === null ? 0 : 1);
  if (expected !== null) expect(lines[0]).toMatch(expected);
});

test('what web pages may do is said where admin methods are on, by listener and by credentials', () => {
  const said = (config: Partial<Exposed>): string | null => pageAccess({ ...local, isAdminEnabled: true, ...config });
  expect(said({ isAdminEnabled: false })).toBeNull();
  expect(said({})).toMatch(/Origin header, or a Host that is not this machine\) are refused$/);
  expect(said({ rpc: openRpc })).toMatch(/\(with an Origin header\) are refused$/);
  expect(said({ auth })).toMatch(/ need a token or a JWT, as all admin calls do$/);
});
