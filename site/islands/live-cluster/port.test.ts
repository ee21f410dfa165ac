import { beforeEach, describe, expect, it } from 'vitest';
import { methodTable, type MethodName } from '#conductor/core/rpc/methods';
import { LiveRun } from './live-run.ts';
import type { ParamSpec } from '#conductor/core/rpc/params';
import type { PortAnswer } from './protocol.ts';

/** What the page promises from the press of the button to the answer, milliseconds. */
const ANSWER_MS_MAX = 50;

describe('the JSON-RPC port of a server in the page', () => {
  let live: LiveRun;
  beforeEach(() => {
    live = new LiveRun({ run: 'v1~seed-7.engine-1', afterMs: 0, trace: '' });
    live.pass(1200);
  });

  const leader = (): number => live.frame(false).nodes.findIndex(({ role }) => role === 'leader');
  const ask = (at: number, method: string, params: readonly unknown[] = [], isAdminEnabled = true): PortAnswer =>
    live.call({ id: 7, at, isAdminEnabled, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
  const said = (answer: PortAnswer): { result?: unknown; error?: { code: number; message: string } } =>
    JSON.parse(answer.text ?? 'null') as { result?: unknown };

  it('answers reads as the conductor does, the leader otherwise than the others', () => {
    const at = leader();
    expect(said(ask(at, 'conductor_leader'))).toEqual({ jsonrpc: '2.0', id: 1, result: true });
    expect(said(ask((at + 1) % 3, 'conductor_leader')).result).toBe(false);
    expect(said(ask(0, 'conductor_clusterMembership')).result).toMatchObject({
      servers: [{ id: 's0' }, { id: 's1' }, { id: 's2' }],
    });
  });

  it('changes the cluster: what is paused is seen to be paused', () => {
    const at = leader();
    expect(said(ask(at, 'conductor_pause')).result).toBeNull();
    expect(live.frame(false).nodes[at]?.isPaused).toBe(true);
    expect(said(ask(at, 'conductor_resume')).result).toBeNull();
    expect(live.frame(false).nodes[at]?.isPaused).toBe(false);
    ask(at, 'conductor_transferLeader');
    live.pass(1500);
    expect(leader()).not.toBe(at);
  });

  it('refuses as the conductor does: closed, unknown, wrong and on a follower', () => {
    const at = leader();
    expect(said(ask(at, 'conductor_pause', [], false)).error).toMatchObject({ code: -32601 });
    expect(said(ask(at, 'conductor_sing')).error).toMatchObject({ code: -32601 });
    expect(said(ask(at, 'conductor_removeServer', ['s1'])).error).toMatchObject({ code: -32602 });
    expect(said(ask((at + 1) % 3, 'conductor_removeServer', ['s1', 0])).error).toMatchObject({ code: -32000 });
  });

  it('says nothing where nobody listens any more', () => {
    live.act('freeze', 1);
    expect(ask(1, 'conductor_leader').text).toBeNull();
    live.act('kill', 2);
    expect(said(ask(2, 'conductor_leader')).error?.message).toBe('connection refused');
  });

  it('answers every method that asks for nothing behind it, in time', () => {
    const at = leader();
    for (const { name, admin, params } of methodTable) {
      if (admin) continue;
      const beganMs = performance.now();
      const answer = ask(at, name, paramsOf(params));
      expect(answer.text, `${name} within ${answer.tookMs} ms`).not.toBeNull();
      // The machine of a test may be slow; a browser holds the page to the limit.
      expect(performance.now() - beganMs, name).toBeLessThan(20 * ANSWER_MS_MAX);
    }
  });

  it.each(methodTable.filter((method) => 'proxy' in method).map(({ name, params }) => [name, params] as const))(
    '%s is answered by the leader’s node or client, and by a follower’s only where that says nothing of the chain',
    (name, params) => {
      live.pass(2000);
      const at = leader();
      const { result, error } = said(ask(at, name, paramsOf(params)));
      expect(error).toBeUndefined();
      if (PROXIED[name] === undefined) expect(result).toBe(true);
      else expect(result).toMatchObject(PROXIED[name]);
      expect(said(ask((at + 1) % 3, name, paramsOf(params))).error?.message).toBe(
        name === 'miner_setMaxDASize' ? undefined : 'refusing to proxy request to non-leader sequencer',
      );
    },
  );

  const admins = methodTable.filter(({ admin }) => admin);

  it.each(admins)('$name is done, and no law breaks', ({ name, params, result: type }) => {
    const { result, error } = said(ask(leader(), name, paramsOf(params)));
    if (name === 'conductor_giveUpBlock') expect(error?.message).toContain('not committed here');
    else expect([result === null, error]).toEqual([type === 'null', undefined]);
    live.pass(1500);
    expect(live.frame(false).lawBroken).toBeNull();
  });
});

/** What the form of a method is filled with: the example of the table, in which the second server has another name here. */
function paramsOf(params: readonly ParamSpec[]): readonly unknown[] {
  const here: Partial<Record<string, string>> = { id: 's1', addr: 's1:50050' };
  return params.map(({ name, example }) => here[name] ?? example);
}

/** What is in the answers of those that are passed on, besides their types' fields. */
const PROXIED: Partial<Record<MethodName, object>> = {
  eth_getBlockByNumber: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as unknown, transactions: [] },
  optimism_outputAtBlock: { blockRef: { number: 1 } },
  optimism_syncStatus: { unsafe_l2: { number: expect.any(Number) as unknown } },
  optimism_rollupConfig: { block_time: 1, genesis: { l2: { number: 0 } } },
};
