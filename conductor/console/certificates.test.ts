/** Ends of certificates as servers show them, and zones on which too much depends. */
import { expect, onTestFinished, test } from 'vitest';
import type { ClusterView } from '#conductor/operate/cluster-view';
import { bareServer } from '#conductor/operate/cluster-config';
import { MemoryCluster } from '#conductor/operate/testing/memory-cluster';
import { certificateEndMs, whyOneZone, whyRenewing } from './certificates.ts';

const dayMs = 24 * 3600 * 1000;

test('the end on a metrics page is read; what cannot be asked is unknown', async () => {
  const page = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('op_conductor_tls_certificate_expiry_seconds 1700000000\n'),
  });
  onTestFinished(() => page.stop(true));
  const server = { ...bareServer('a', 'http://127.0.0.1:9'), metrics: `http://127.0.0.1:${page.port}` };
  expect(await certificateEndMs(server)).toBe(1_700_000_000_000);
  expect(await certificateEndMs({ ...server, metrics: 'http://127.0.0.1:9' })).toBeNull();
  expect(await certificateEndMs({ ...server, metrics: null, conductor: 'https://127.0.0.1:9' })).toBeNull();
});

test('a certificate is told of from two weeks before its end', () => {
  expect(whyRenewing('a', 15 * dayMs, 0)).toBeNull();
  expect(whyRenewing('a', null, 0)).toBeNull();
  expect(whyRenewing('a', 13 * dayMs, 0)).toBe('the certificate of a ends on 1970-01-14');
  expect(whyRenewing('a', 13 * dayMs, 14 * dayMs)).toBe('the certificate of a has ended on 1970-01-14');
});

test.each([
  ['three zones', ['x', 'y', 'z'], null],
  ['two of three in one', ['x', 'x', 'z'], 'without zone x'],
  ['one zone', ['x', 'x', 'x'], 'without zone x'],
  ['two of five in one', ['x', 'x', 'y', 'y', 'z'], null],
  ['one that is not known', ['x', 'x', undefined], null],
])('of %s', (_, zones, why) => {
  const view = new MemoryCluster(zones.length).view();
  const placed: ClusterView = {
    ...view,
    servers: view.servers.map((server, at) => {
      const zone = zones[at];
      return { ...server, config: zone === undefined ? server.config : { ...server.config, zone } };
    }),
  };
  const found = whyOneZone(placed);
  if (why === null) expect(found).toBeNull();
  else expect(found).toContain(why);
});
