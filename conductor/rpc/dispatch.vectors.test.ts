import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differenceOf } from './compatibility.ts';
import { answerItems, resolveCall } from './dispatch.ts';
import { parseBody, type Call, type Outcome } from './message.ts';

interface TranscriptCase {
  readonly name: string;
  readonly node: string;
  readonly scene: string;
  readonly request: {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string | null;
    bodyHex?: string;
  };
  readonly response: { status: number | null; body?: string | null };
  readonly volatile?: unknown;
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const file = JSON.parse(readFileSync(join(folder, 'rpc-transcripts.json'), 'utf8')) as { cases: TranscriptCase[] };

/** What node A says of itself in the scene that most cases were recorded in: leader, paused, healthy. */
const factsOfA: Readonly<Record<string, string>> = {
  conductor_leader: 'true',
  conductor_active: 'false',
  conductor_paused: 'true',
  conductor_stopped: 'false',
  conductor_leaderOverridden: 'false',
  conductor_leaderWithID: '{"id":"alpha-1","addr":"127.0.0.1:25401","suffrage":0}',
  conductor_overrideLeader: 'null',
  conductor_pause: 'null',
  health_status: '"v1.19.6"',
};

function bodyOf(one: TranscriptCase): string | null {
  if (typeof one.request.body === 'string') return one.request.body;
  if (one.request.bodyHex === undefined) return null;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(Uint8Array.from(Buffer.from(one.request.bodyHex, 'hex')));
}

/** The answer, or null when a call in it needs a cluster, a node or a proxied method. */
async function answer(text: string): Promise<string | null> {
  const body = parseBody(text, 2000);
  if (body.kind === 'empty') return '';
  if (body.kind === 'failed') return body.text;
  let isAnswerable = true;
  const run = async (call: Call): Promise<Outcome> => {
    const resolved = resolveCall(call, { isAdminEnabled: true, isProxyEnabled: true, version: 'v1.19.6' });
    if (resolved.kind === 'answered') return resolved.outcome;
    const known = resolved.kind === 'invoke' ? factsOfA[resolved.method] : undefined;
    if (known === undefined) isAnswerable = false;
    return { kind: 'result', json: known ?? 'null' };
  };
  const items = body.kind === 'single' ? [body.item] : body.items;
  const rendered = await answerItems(items, body.kind === 'batch', run);
  return isAnswerable ? rendered : null;
}

describe('recorded JSON-RPC exchanges that need no cluster', () => {
  const candidates = file.cases.filter(
    (one) =>
      one.node === 'A' &&
      one.scene !== 'leadership moves' &&
      one.request.method === 'POST' &&
      one.request.path === '/' &&
      one.response.status === 200 &&
      typeof one.response.body === 'string' &&
      one.volatile === undefined &&
      !one.name.startsWith('http:'),
  );
  const checked: string[] = [];

  test('every one that is not in the compatibility table is answered byte for byte', async () => {
    for (const one of candidates) {
      const text = bodyOf(one);
      if (text === null || differenceOf(one.name) !== undefined) continue;
      if (/overridden|self|removed|moves/.test(one.scene)) continue;
      const ours = await answer(text);
      if (ours === null) continue;
      expect(ours, one.name).toBe(one.response.body);
      checked.push(one.name);
    }
    expect(checked.length).toBeGreaterThan(process.env['VECTORS_DIR'] === undefined ? 250 : 0);
  });
});
