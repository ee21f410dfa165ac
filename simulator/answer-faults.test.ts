import { describe, expect, it } from 'vitest';
import type { StartedCall } from '#conductor/core/events';
import type { CallResult } from '#conductor/core/node/calls';
import { defaultConfiguration } from './configuration.ts';
import { CLIENT_READS, isChecked, NODE_READS, methodsOf } from './erring-methods.ts';
import type { EventKind } from './faults.ts';
import { Judge } from './judge.ts';
import { execute } from './run.ts';
import { runFromText } from './run-value.ts';

/** What the conductor of the first server hears in a run, whose leader it is, by method. */
function heard(text: string): Map<string, Set<string>> {
  const answers = new Map<string, Set<string>>();
  class Listener extends Judge {
    readonly #asked = new Map<number, string>();

    override asked(...told: Parameters<Judge['asked']>): void {
      const [{ index }, call] = told;
      if (index === 0) this.#asked.set((call as StartedCall).callId, call.method);
      super.asked(...told);
    }

    override handled(...told: Parameters<Judge['handled']>): void {
      const [{ index }, event] = told;
      if (index === 0 && event.kind === 'callResult') this.#heard(event.callId, event.result);
      super.handled(...told);
    }

    #heard(callId: number, result: CallResult): void {
      const method = this.#asked.get(callId) ?? '';
      const what = result.kind === 'failed' ? result.reason : result.kind;
      answers.set(method, (answers.get(method) ?? new Set()).add(what));
    }
  }
  const report = execute(runFromText(text), { judge: new Listener() });
  expect(report.violation).toBeNull();
  return answers;
}

/** Six seconds of it at the first server, five after the run began. */
const runOf = (kind: EventKind, amount: number): string =>
  `v1~clientPeers-1~${[kind, 5000, 0, 0, 6000, amount].map((one, at) => (at === 0 ? one : one.toString(36))).join('-')}`;

describe('answers that are none', () => {
  it.each([
    ['nodeErrors', 0, 'optimism_syncStatus', 'opp2p_peerStats'],
    ['nodeErrors', 1, 'opp2p_peerStats', 'optimism_syncStatus'],
    ['clientErrors', 0, 'eth_blockNumber', 'net_peerCount'],
    ['clientErrors', 15, 'net_peerCount', 'eth_blockNumber'],
  ] as const)('%s by the bits of %d: %s, and not %s', (kind, amount, erring, other) => {
    const answers = heard(runOf(kind, amount));
    expect([...answers.get(erring)!].toSorted()).toEqual(['error', 'result']);
    expect([...answers.get(other)!]).toEqual(['result']);
  });

  it('as many peers as are needed are enough', () => {
    const report = execute(runFromText(runOf('onePeer', 0)));
    expect(report.violation).toBeNull();
    expect(report.judge.sometimes.get('leadership is kept through a fault of another')).toBe(1);
  });

  it('rollup-boost says nothing', () => {
    expect([...heard(runOf('boostHangs', 0)).get('GET')!].toSorted()).toEqual(['result', 'timeout']);
  });

  it('some read is always named, and all may be', () => {
    expect(methodsOf(NODE_READS, 0)).toEqual(['optimism_syncStatus']);
    expect(methodsOf(NODE_READS, 14)).toEqual(NODE_READS.flat());
    expect(methodsOf(CLIENT_READS, 30)).toEqual(CLIENT_READS.flat());
    expect([0, 1, 3, 11].map(isChecked)).toEqual([true, true, false, false]);
  });

  it('of a leader they are found by its next check, where that asks for them', () => {
    for (const [kind, amount] of [
      ['nodeErrors', 0],
      ['boostDown', 0],
    ] as const) {
      const report = execute(runFromText(runOf(kind, amount)));
      expect(report.violation).toBeNull();
      expect(report.judge.sometimes.get(`event ${kind}`)).toBe(1);
    }
    expect(defaultConfiguration.clientPeers).toBe(0);
  });
});
