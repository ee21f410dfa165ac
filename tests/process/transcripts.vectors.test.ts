/**
 * Every recorded exchange with op-conductor, played in order against four conductors of ours: status,
 * headers and body agree, or a row of the compatibility table covers the difference.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differenceOf } from '#conductor/core/rpc/compatibility';
import { exchange, type Exchange } from './transcripts/raw-exchange.ts';
import { RecordedCluster } from './transcripts/recorded-cluster.ts';
import { readTranscripts, responseTextOf, type RecordedCase } from './transcripts/transcript-file.ts';
import { pause } from '../cluster/wait.ts';

const file = readTranscripts();
const cluster = new RecordedCluster(file);
/** Longest wait for an answer that depends on an election or a health check. */
const settleMsMax = 15_000;
const retryMs = 50;
/** Headers that belong to the connection and not to the answer. */
const framing = new Set(['date', 'content-length', 'transfer-encoding', 'connection', 'content-encoding']);

beforeAll(() => cluster.start());
afterAll(() => cluster.stop());

/** What differs and is covered by no row; empty when all is well. */
function differencesOf(one: RecordedCase, ours: Exchange): string[] {
  const { status } = one.response;
  const recorded = responseTextOf(one.response);
  const theirBody = cluster.withoutPorts(cluster.translate(recorded ?? ''));
  const ourBody = cluster.withoutPorts(ours.body);
  const found =
    recorded === null ? noteDifferences(one, ours) : bodyDifferences(one, [theirBody, ourBody], ours.status);
  const headers = one.response.headers.filter(([name]) => !framing.has(name.toLowerCase()));
  const isCovered = differenceOf(one.name, `${status} ${theirBody}`, `${ours.status} ${ourBody}`) !== undefined;
  if (isCovered) return found;
  for (const [name, value] of headers) {
    const own = ours.headers.get(name.toLowerCase());
    if (own !== value) found.push(`${name} is ${own}, not ${value}`);
  }
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const name of ours.headers.keys()) if (!names.has(name) && !framing.has(name)) found.push(`${name} is extra`);
  return found;
}

function bodyDifferences(one: RecordedCase, [opConductor, ours]: [string, string], ourStatus: number | null): string[] {
  const { status } = one.response;
  if (status === ourStatus && opConductor === ours) return [];
  if (one.volatile?.includes('response.body: result') === true && status === ourStatus) return [];
  if (one.name.startsWith('metrics port:') && status === ourStatus && ours.startsWith(opConductor)) return [];
  const [theirItems, ourItems] = [batchOf(opConductor), batchOf(ours)];
  if (theirItems !== null && ourItems !== null && theirItems.length === ourItems.length && status === ourStatus) {
    return theirItems.flatMap((item, index) => {
      const [their, our] = [`${status} ${item}`, `${ourStatus} ${ourItems[index] ?? ''}`];
      return their === our || differenceOf(one.name, their, our) !== undefined ? [] : [`${our} instead of ${their}`];
    });
  }
  const [their, our] = [`${status} ${opConductor}`, `${ourStatus} ${ours}`];
  return differenceOf(one.name, their, our) === undefined ? [`${our} instead of ${their}`] : [];
}

/** The elements of a batch as they were sent, or null for anything else. */
function batchOf(body: string): string[] | null {
  if (!body.startsWith('[')) return null;
  return (JSON.parse(body) as unknown[]).map((item) => JSON.stringify(item));
}

/** Only counts of answers and bytes were recorded. */
function noteDifferences(one: RecordedCase, ours: Exchange): string[] {
  const note = /^(\d+) answers, (\d+) bytes$/.exec(one.response.bodyNote ?? '');
  if (one.response.status === null)
    return ours.status === null ? [] : [`answered with ${ours.status}, theirs was silent`];
  if (note === null) return [`what was recorded is not understood: ${one.response.bodyNote}`];
  const seen = `${(batchOf(ours.body) ?? []).length} answers, ${Buffer.byteLength(ours.body)} bytes`;
  return seen === note[0] ? [] : [`${seen} instead of ${note[0]}`];
}

function isRead({ request }: RecordedCase): boolean {
  return /"method":"(conductor_(active|leader|leaderWithID|sequencerHealthy|clusterMembership))"/.test(
    request.body ?? '',
  );
}

async function play(one: RecordedCase): Promise<string[]> {
  await cluster.prepare(one);
  const { rpc, metrics, backend } = cluster.member(one.node);
  const port = one.name.startsWith('metrics port:') ? metrics : rpc;
  const end = performance.now() + settleMsMax;
  for (;;) {
    const found = differencesOf(one, await exchange(port, one, (text) => cluster.translate(text)));
    if (found.length === 0) {
      const unasked = (one.backendCalls ?? []).filter((call) => !backend.wasAsked(call));
      return unasked.map((call) => `the backend was not asked ${JSON.stringify(call)}`);
    }
    if (!isRead(one) || performance.now() > end) return found;
    await pause(retryMs);
  }
}

describe('recorded exchanges with op-conductor', () => {
  test.each(file.cases.map((one, index) => ({ title: `${index} ${one.name}`.slice(0, 120), one })))(
    '$title',
    async ({ one }) => {
      expect(await play(one)).toEqual([]);
    },
  );
});
