import { describe, expect, test, vi } from 'vitest';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { resolveCall } from './dispatch.ts';
import { parseBody, type Outcome } from './message.ts';
import { methodTable } from './methods.ts';
import { ProxyCalls, plainLengthMax, proxiesWaitingMax, sortedLengthMax } from './proxy.ts';

/** A conductor's side of proxied calls, with a backend that answers when told. */
class Desk {
  isLeader = true;
  isSure = true;
  readonly override = { isOn: false };
  readonly asked: NodeRequest[] = [];
  readonly #waiting: ((answer: CallResult) => void)[] = [];
  readonly answers: Outcome[] = [];
  /** What asked a quorum whether this server leads. */
  readonly confirmations: ((kind: string) => void)[] = [];
  readonly proxies = new ProxyCalls({
    outbox: {
      call: (request, then) => {
        this.asked.push(request);
        this.#waiting.push(then);
      },
      answer: (_, outcome) => this.answers.push(outcome),
    },
    raft: { position: () => ({ role: this.isLeader ? 'leader' : 'follower', isSure: this.isSure }) },
    override: this.override,
    command: (_, then) => void this.confirmations.push((kind) => then({ kind })),
  });

  /** Makes a call; its request to the backend, if there was one, is the last of `asked`. */
  ask(method: string, params: unknown[]): void {
    const body = parseBody(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), 1);
    if (body.kind !== 'single' || body.item.kind !== 'call') throw new Error('not a call');
    const resolved = resolveCall(body.item.call, { isAdminEnabled: false, isProxyEnabled: true, version: 'v0' });
    if (resolved.kind === 'answered') this.answers.push(resolved.outcome);
    else this.proxies.handle({ kind: 'rpc', answerId: 1, method: resolved.method, values: resolved.values, from: '' });
  }

  /** Lets the backend answer the last request. */
  backend(result: CallResult): Outcome | undefined {
    this.#waiting.at(-1)!(result);
    return this.answers.at(-1);
  }
}

const proxied = methodTable.filter((method) => 'proxy' in method);
const paramsOf: Readonly<Record<string, unknown[]>> = {
  eth_getBlockByNumber: ['latest', false],
  miner_setMaxDASize: ['0x1', '0x2'],
  optimism_outputAtBlock: ['0x10'],
};

/** Passed on by followers, too. */
const forAll = 'miner_setMaxDASize';

function askedFor(method: string): Desk {
  const desk = new Desk();
  desk.ask(method, paramsOf[method] ?? []);
  return desk;
}

describe.each(proxied.map(({ name }) => name).filter((name) => name !== forAll))('%s', (method) => {
  const asked = (): Desk => askedFor(method);

  test('a leader that is not sure of its office passes on nothing', () => {
    const desk = asked();
    desk.isSure = false;
    expect(desk.backend({ kind: 'result', value: 'null' })).toBeUndefined();
    desk.confirmations[0]!('refused');
    expect(desk.answers).toMatchObject([{ message: 'refusing to proxy request to non-leader sequencer' }]);
  });

  test('but asks a quorum first, and passes it on where that confirms it', () => {
    const desk = asked();
    desk.isSure = false;
    desk.backend({ kind: 'result', value: 'null' });
    expect(desk.answers).toEqual([]);
    desk.confirmations[0]!('done');
    expect(desk.answers).toMatchObject([{ kind: 'result' }]);
  });
});

describe.each(proxied.map(({ name }) => name))('%s', (method) => {
  const isForAll = method === forAll;
  const asked = (): Desk => askedFor(method);

  test('asks the backend first and checks leadership after', () => {
    const desk = asked();
    expect(desk.asked).toHaveLength(1);
    desk.isLeader = false;
    expect(desk.backend({ kind: 'result', value: 'null' })).toMatchObject(
      isForAll ? { kind: 'result' } : { code: -32000, message: 'refusing to proxy request to non-leader sequencer' },
    );
  });

  test('is answered by an overridden node', () => {
    const desk = asked();
    desk.isLeader = false;
    desk.override.isOn = true;
    expect(desk.backend({ kind: 'result', value: 'null' })).toMatchObject({ kind: 'result' });
  });

  test("passes on the backend's error and its silence, even as a follower", () => {
    const desk = asked();
    desk.isLeader = false;
    expect(desk.backend({ kind: 'error', code: -39001, message: 'Unknown block' })).toMatchObject({ code: -39001 });
    const silent = asked();
    const timeout = { kind: 'failed', reason: 'timeout', message: 'no answer' } as const;
    expect(silent.backend(timeout)).toMatchObject({ code: -32000, message: 'no answer' });
  });

  test('is unknown without --rpc.enable-proxy', () => {
    const call = { id: '1', method, params: { text: '[]', values: [] } };
    const resolved = resolveCall(call, { isAdminEnabled: true, isProxyEnabled: false, version: 'v0' });
    expect(resolved).toMatchObject({ outcome: { code: -32601 } });
  });
});

test('parameters reach the backend in canonical form', () => {
  const desk = new Desk();
  desk.ask('miner_setMaxDASize', ['0XFF', `0x${'f'.repeat(64)}`]);
  desk.ask('optimism_outputAtBlock', ['0X10']);
  desk.ask('eth_getBlockByNumber', ['0X1f', null]);
  expect(desk.asked.map(({ params }) => params)).toEqual([
    `["0xff","0x${'f'.repeat(64)}"]`,
    '["0x10"]',
    '["0x1f",false]',
  ]);
});

test('calls that wait for the backend are bounded, and the bound is given back', () => {
  const desk = new Desk();
  for (let each = 0; each < proxiesWaitingMax + 6; each += 1) desk.ask('optimism_syncStatus', []);
  expect(desk.asked).toHaveLength(proxiesWaitingMax);
  expect(desk.answers.at(-1)).toMatchObject({
    code: -32000,
    message: '96 proxied calls already wait for the backend',
  });
  desk.ask('eth_getBlockByNumber', ['latest', false]);
  expect(desk.asked).toHaveLength(proxiesWaitingMax + 1);
  desk.backend({ kind: 'result', value: 'null' });
  for (let each = 0; each < proxiesWaitingMax; each += 1) desk.ask('eth_getBlockByNumber', ['latest', false]);
  expect(desk.asked).toHaveLength(2 * proxiesWaitingMax + 1);
});

describe('whatever becomes of a call', () => {
  const shape = { kind: 'result', value: '[1' } as const;
  test.each<[string, CallResult, (desk: Desk) => void]>([
    ['an error', { kind: 'error', code: -39001, message: 'Unknown block' }, () => undefined],
    ['silence', { kind: 'failed', reason: 'timeout', message: 'no answer' }, () => undefined],
    ['a refused connection', { kind: 'failed', reason: 'refused', message: 'connection refused' }, () => undefined],
    ['an answer that cannot be read', shape, () => undefined],
    [
      'an answer that a follower keeps for itself',
      { kind: 'result', value: 'null' },
      (desk) => (desk.isLeader = false),
    ],
  ])('after %s its place is free again', (_, answer, change) => {
    const desk = new Desk();
    change(desk);
    for (let each = 0; each < 2 * proxiesWaitingMax; each += 1) {
      desk.ask('eth_getBlockByNumber', ['latest', false]);
      desk.backend(answer);
      desk.ask('optimism_syncStatus', []);
      desk.backend(answer);
    }
    expect(desk.asked).toHaveLength(4 * proxiesWaitingMax);
    expect(desk.answers).toHaveLength(4 * proxiesWaitingMax);
  });

  test('its place is free again, also where a quorum did not confirm that this server leads', () => {
    const desk = new Desk();
    desk.isSure = false;
    for (let each = 0; each < 2 * proxiesWaitingMax; each += 1) {
      desk.ask('eth_getBlockByNumber', ['latest', false]);
      desk.backend({ kind: 'result', value: 'null' });
      desk.confirmations.at(-1)!('refused');
    }
    expect(desk.asked).toHaveLength(2 * proxiesWaitingMax);
  });
});

test('an answer that waits for a quorum is shaped in the turn in which it came, not with all others when that confirms', () => {
  const desk = new Desk();
  desk.isSure = false;
  desk.ask('eth_getBlockByNumber', ['latest', false]);
  const read = vi.fn(() => '{"b":1,"a":2}');
  desk.backend({ kind: 'result', value: { toString: read } });
  expect(read).toHaveBeenCalledOnce();
  desk.confirmations[0]!('done');
  expect(desk.answers).toEqual([{ kind: 'result', json: '{"a":2,"b":1}' }]);
  expect(read).toHaveBeenCalledOnce();
});

test('an answer that cannot be kept exactly is an error, not a crash', () => {
  const desk = new Desk();
  desk.ask('eth_getBlockByNumber', ['latest', false]);
  expect(desk.backend({ kind: 'result', value: '['.repeat(100_000) })).toMatchObject({ code: -32000 });
});

test('a large block is passed on with its keys in the order in which they came', () => {
  const text = `{"b":"${'x'.repeat(sortedLengthMax)}","a":1}`;
  const desk = new Desk();
  desk.ask('eth_getBlockByNumber', ['latest', true]);
  expect(desk.backend({ kind: 'result', value: text })).toEqual({ kind: 'result', json: text });
});

test.each([
  ['optimism_syncStatus', []],
  ['eth_getBlockByNumber', ['latest', true]],
])('what is too long for an answer of %s is refused without being read', (method, params) => {
  const desk = new Desk();
  desk.ask(method, params);
  const text = `[${'1,'.repeat(plainLengthMax / 2)}1]`;
  expect(desk.backend({ kind: 'result', value: text })).toMatchObject({
    code: -32000,
    message: `the answer of the backend is longer than ${plainLengthMax} characters`,
  });
});

describe("a block's keys are in order, whatever they are, and nothing else changes", () => {
  const through = (text: string): Outcome | undefined => {
    const desk = new Desk();
    desk.ask('eth_getBlockByNumber', ['latest', true]);
    return desk.backend({ kind: 'result', value: text });
  };
  test.each([
    [
      '{"b":1,"a":[{"d":"<","c":null},[true,1.5,-0]],"":{}}',
      '{"":{},"a":[{"c":null,"d":"\\u003c"},[true,1.5,0]],"b":1}',
    ],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"é":1,"e":2,"Z":"x&y"}', '{"Z":"x\\u0026y","e":2,"é":1}'],
    ['{"a":0.1,"b":123456789012}', '{"a":0.1,"b":123456789012}'],
    ['{"a":123456789012345678}', '{"a":123456789012345678}'],
    ['{"a": -1E2}', '{"a":-100}'],
    ['{"a":"\\ud800"}', '{"a":"�"}'],
    ['{"2":1,"10":2}', '{"10":2,"2":1}'],
    ['{"__proto__":1}', '{"__proto__":1}'],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['null', 'null'],
  ])('%s', (text, json) => expect(through(text)).toEqual({ kind: 'result', json }));
  test.each(['{"a":[1e400]}', '[1]', '{"a":1'])('%s is an error', (text) => {
    expect(through(text)).toMatchObject({ kind: 'error', code: -32000 });
  });
});
