import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ThrowawayCa } from '#conductor/adapters/tcp/testing/throwaway-ca';
import { noCredentials } from './cluster-config.ts';
import { createConductorClient } from './conductor-client.ts';
import { connectionFailure } from './connection-failure.ts';
import { RpcCallError, RpcEndpoint } from './rpc-endpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'endpoint-'));
const servers: { stop(now: boolean): unknown }[] = [];
afterAll(async () => {
  rmSync(folder, { recursive: true });
  for (const server of servers) await server.stop(true);
});

function serve(answer: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

const failureOf = async (call: Promise<unknown>): Promise<RpcCallError> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RpcCallError);
  return error as RpcCallError;
};

describe('a call', () => {
  test('that the server refuses has its words, without what steers a terminal', async () => {
    const url = serve(() => Response.json({ id: 0, error: { code: -32000, message: 'no\u001B[2J\nquorum' } }));
    const error = await failureOf(new RpcEndpoint(url).call('x', [], 1000));
    expect(error.message).toBe('no [2J quorum');
    expect(error.isUnanswered).toBe(false);
  });

  test('without an answer may have happened', async () => {
    const hanging = serve(() => new Promise<Response>(() => undefined));
    const silent = await failureOf(new RpcEndpoint(hanging).call('x', [], 150));
    expect(silent.isUnanswered).toBe(true);
    expect(silent.message).toContain('no answer within 0.15 s');
    const refused = await failureOf(new RpcEndpoint('http://127.0.0.1:1').call('x', [], 1000));
    expect(refused.message).toBe('127.0.0.1:1: connection refused');
    expect(refused.isUnanswered).toBe(true);
  });

  test('is answered by a bounded text, and never from elsewhere', async () => {
    const endless = serve(() => new Response('x'.repeat(5 * 1024 * 1024)));
    expect((await failureOf(new RpcEndpoint(endless).call('x', [], 5000))).message).toContain('is larger than');
    let hasFollowed = false;
    const elsewhere = serve(() => {
      hasFollowed = true;
      return Response.json({ id: 0, result: 1 });
    });
    const redirecting = serve(() => Response.redirect(elsewhere, 307));
    await failureOf(new RpcEndpoint(redirecting).call('x', [], 5000));
    expect(hasFollowed).toBe(false);
  });

  test('of anything but JSON is told with the status', async () => {
    const url = serve(() => new Response('<html>', { status: 502 }));
    expect((await failureOf(new RpcEndpoint(url).call('x', [], 5000))).message).toContain(
      'HTTP status 502 without JSON',
    );
  });
});

test('a page stands below the path of the URL, by which a proxy tells servers apart, or is the URL itself', async () => {
  const url = serve((request) => new Response(request.url.replace(/^http:..[^/]*/, '')));
  const pageOf = async (path: string): Promise<string> =>
    (await new RpcEndpoint(`${url}${path}`).page('/metrics', 5000)).text;
  expect(await pageOf('')).toBe('/metrics');
  expect(await pageOf('/node-1')).toBe('/node-1/metrics');
  expect(await pageOf('/node-1/?key=1')).toBe('/node-1/metrics?key=1');
  expect(await pageOf('/metrics')).toBe('/metrics');
});

describe('credentials', () => {
  const echo = serve((request) => Response.json({ id: 0, result: request.headers.get('authorization') }));
  const withToken = (text: string): Promise<unknown> => {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, text);
    return new RpcEndpoint(echo, { ...noCredentials, tokenFile }).call('x', [], 5000);
  };

  test('are the token of a file, alone or after a name, or those of the URL', async () => {
    expect(await withToken('abc\n')).toBe('Bearer abc');
    expect(await withToken('alice abc\nbob def\n')).toBe('Bearer abc');
    const named = echo.replace('://', '://me:p%40ss@');
    expect(await new RpcEndpoint(named).call('x', [], 5000)).toBe(`Basic ${btoa('me:p@ss')}`);
    expect(await new RpcEndpoint(echo).call('x', [], 5000)).toBe(null);
  });

  test('that cannot be used are told with the file', async () => {
    expect(() => withToken('')).toThrow(/must hold one token/);
    expect(() => withToken('alice sha256:00')).toThrow(/digest of a token/);
    expect(() => new RpcEndpoint(echo, { ...noCredentials, caFile: '/nowhere/ca.pem' })).toThrow(
      /"ca-file": \/nowhere/,
    );
  });
});

describe('a failure is told in our words', () => {
  const reasonOf = async (url: string): Promise<string> =>
    (await failureOf(new RpcEndpoint(url).call('x', [], 5000))).message.replace(/^\S+: /, '');

  test('whatever the runtime says', async () => {
    const plain = serve(() => Response.json({ id: 0, result: 1 }));
    expect(await reasonOf(plain.replace('http:', 'https:'))).toContain('it speaks no TLS on this port');
    expect(await reasonOf(serve(() => Response.redirect('http://127.0.0.1:1/', 307)))).toContain('redirect');
    const { certPem, keyPem } = new ThrowawayCa().issue({ commonName: 'elsewhere', dnsNames: ['elsewhere'] });
    const fetching = (): Response => new Response('');
    const tls = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: { cert: certPem, key: keyPem }, fetch: fetching });
    servers.push(tls);
    expect(await reasonOf(`https://127.0.0.1:${tls.port}`)).toMatch(/^(no authority in ca-file|its certificate)/);
    expect(await reasonOf(`http://127.0.0.1:${tls.port}`)).toBe('the connection was closed before an answer came');
  });

  test('also where nobody knows the reason', () => {
    const odd = Object.assign(new Error('pass `verbose: true` in the second argument to fetch()'), { code: 'EODD' });
    expect(connectionFailure(odd, 1000)).toBe('the connection failed (EODD)');
    expect(connectionFailure(new Error('the answer\u001B is larger'), 1000)).toBe('the answer  is larger');
  });
});

describe('https', () => {
  const ca = new ThrowawayCa();
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const own = ca.issue({ commonName: 'localhost', dnsNames: ['localhost'] });
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: own.certPem, key: own.keyPem, ca: ca.caPem, requestCert: true, rejectUnauthorized: true },
    fetch: () => Response.json({ id: 0, result: 'in' }),
  });
  servers.push(server);
  const url = `https://localhost:${server.port}`;
  const caFile = file('ca.pem', ca.caPem);
  const call = (credentials: object): Promise<unknown> =>
    new RpcEndpoint(url, { ...noCredentials, ...credentials }).call('x', [], 5000);
  const pair = (issuer: ThrowawayCa): object => {
    const { certPem, keyPem } = issuer.issue({ commonName: 'operator' });
    return { clientCertFile: file('client.pem', certPem), clientKeyFile: file('client.key', keyPem) };
  };

  test.each([
    ['caFile', '', 'holds no certificate'],
    ['caFile', 'garbage', 'holds no certificate'],
    ['caFile', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'certificate 1 in'],
    ['clientCertFile', '', 'holds no certificate'],
    ['clientKeyFile', 'garbage', 'holds no private key'],
  ])('%s that holds %j is told', (name, text, sentence) => {
    const credentials = { ...noCredentials, [name]: file('odd.pem', text) };
    expect(() => new RpcEndpoint(url, credentials)).toThrow(sentence);
  });

  test('servers are checked against ca-file, and are shown the certificate', async () => {
    expect(await call({ caFile, ...pair(ca) })).toBe('in');
  });

  test('a server that another authority vouches for is not believed', async () => {
    const other = file('other.pem', new ThrowawayCa().caPem);
    await failureOf(call({ caFile: other, ...pair(ca) }));
    await failureOf(call(pair(ca)));
  });

  test('without a certificate, or with that of another authority, nobody gets in', async () => {
    await failureOf(call({ caFile }));
    await failureOf(call({ caFile, ...pair(new ThrowawayCa()) }));
  });
});

describe('the state of a conductor', () => {
  const stateOf = (result: (method: string) => unknown) => {
    const url = serve(async (request) => {
      const calls = (await request.json()) as { id: number; method: string }[];
      const answers = calls.map(({ id, method }) => {
        const value = result(method);
        return value === undefined ? { id, error: { code: -32601, message: 'unknown' } } : { id, result: value };
      });
      // In any order.
      return Response.json(answers.toReversed());
    });
    const none = { consensus: null, node: null, execution: null, metrics: null, deploy: null, rollback: null };
    return createConductorClient({
      ...none,
      id: 'a',
      isLearnt: false,
      conductor: url,
      credentials: noCredentials,
    }).state(5000);
  };

  test('is what it tells; methods that it lacks are unknown, not errors', async () => {
    const known: Record<string, unknown> = {
      conductor_leader: true,
      conductor_leaderWithID: { id: 'a', addr: 'a:1', suffrage: 0 },
      conductor_clusterMembership: { servers: [{ id: 'a', addr: 'a:1', suffrage: 0 }], version: 0 },
    };
    expect(await stateOf((method) => known[method])).toMatchObject({
      claimsLeader: true,
      leaderId: 'a',
      isPaused: null,
      isOverridden: null,
      membership: { members: [{ id: 'a', address: 'a:1', isVoter: true }], version: 0 },
    });
  });

  test('an empty cluster is null on op-conductor', async () => {
    const state = await stateOf((method) =>
      method.endsWith('Membership') ? { servers: null, version: 0 } : undefined,
    );
    expect(state.membership).toEqual({ members: [], version: 0 });
  });

  test.each([
    1,
    'x',
    [],
    {},
    { servers: 1, version: 1 },
    { servers: [1], version: 1 },
    { servers: [], version: 1.5 },
    { servers: [{ id: 'x'.repeat(300), addr: 'a' }], version: 1 },
  ])('nonsense is unknown: %j', async (nonsense) => {
    const state = await stateOf((method) => (method === 'conductor_active' ? true : nonsense));
    expect(state).toMatchObject({ claimsLeader: null, membership: null, isPaused: null, isActive: true });
  });

  test('is not made of what somebody else answers', async () => {
    const nobody = 'is no conductor';
    await expect(stateOf(() => undefined)).rejects.toThrow(`${nobody} (unknown)`);
    await expect(stateOf(() => ({ nonsense: 1 }))).rejects.toThrow(nobody);
    const opNode = (method: string): unknown => (method === 'optimism_syncStatus' ? { unsafe_l2: {} } : undefined);
    await expect(stateOf(opNode)).rejects.toThrow(nobody);
  });
});
