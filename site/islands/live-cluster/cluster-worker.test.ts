/** What the worker does once a run has ended, which nobody waits for in a browser. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Command, Frame, PortAnswer, Reply } from './protocol.ts';

/** Ten minutes without an act. */
const END_MS = 600_000;
const BODY = '{"jsonrpc":"2.0","id":1,"method":"conductor_leader","params":[]}';

const replies: Reply[] = [];
let listener: (event: { readonly data: Command }) => void;

/** The last frame after a command. */
function tell(data: Command): Frame {
  listener({ data });
  const last = replies.findLast((reply) => reply.kind === 'frame');
  if (last === undefined) throw new Error('nothing was shown');
  return last.frame;
}

function ended(): Frame {
  tell({ kind: 'open', run: 'v1~seed-7', afterMs: 0, trace: '', isPlaying: true });
  return tell({ kind: 'step', by: END_MS });
}

function called(id: number): PortAnswer | undefined {
  tell({ kind: 'call', id, at: 0, body: BODY, isAdminEnabled: true });
  return replies.find((reply) => reply.kind === 'answer' && reply.id === id) as PortAnswer | undefined;
}

beforeAll(async () => {
  vi.stubGlobal('self', {
    postMessage: (reply: Reply) => replies.push(reply),
    addEventListener: (_: string, added: typeof listener) => (listener = added),
  });
  await import('./cluster-worker.ts');
});

describe('after ten minutes without an act', { timeout: 120_000 }, () => {
  it('a call is answered, by a new cluster that goes on', () => {
    expect(ended()).toMatchObject({ ended: expect.stringMatching(/Ten minutes/) as string, isPlaying: false });
    expect(called(1)?.text).toMatch(/"result":(true|false)/);
    const frame = tell({ kind: 'speed', factor: 1 });
    expect(frame).toMatchObject({ ended: null, isPlaying: true });
    expect(frame.nowMs).toBeLessThan(END_MS);
    const { nowMs } = tell({ kind: 'pause' });
    expect(called(2)?.text).toMatch(/"result":/);
    expect(tell({ kind: 'pause' }).nowMs).toBeGreaterThanOrEqual(nowMs);
  });

  it('an act lets time go on', () => {
    const { nowMs } = ended();
    const frame = tell({ kind: 'act', verb: 'transfer', at: 1 });
    expect(frame).toMatchObject({ ended: null, isPlaying: true });
    expect(frame.nowMs).toBeGreaterThanOrEqual(nowMs);
    tell({ kind: 'pause' });
    expect(tell({ kind: 'act', verb: 'pause', at: 1 })).toMatchObject({ isPlaying: false });
  });
});
