import { describe, expect, test } from 'vitest';
import type { CallResult, FailedReason } from './calls.ts';
import {
  aliveProbe,
  areStagesLevel,
  executesOwnBlocks,
  l1Block,
  readAlive,
  readBadBlocks,
  readPayloadStatus,
  readSyncing,
} from './engine-calls.ts';

const hash = `0x${'aB'.repeat(32)}`;
const result = (value: unknown): CallResult => ({ kind: 'result', value });
const failed = (reason: FailedReason): CallResult => ({ kind: 'failed', reason, message: 'm' });
const error: CallResult = { kind: 'error', code: -38005, message: 'Unsupported fork' };

describe('what a client says of a payload', () => {
  test('VALID and INVALID are words about it', () => {
    expect(readPayloadStatus(result({ status: 'VALID', latestValidHash: hash }))).toEqual({ kind: 'valid' });
    expect(
      readPayloadStatus(result({ status: 'INVALID', latestValidHash: hash, validationError: 'bad root' })),
    ).toEqual({ kind: 'invalid', message: 'bad root', latestValidHash: hash.toLowerCase() });
    expect(readPayloadStatus(result({ status: 'INVALID_BLOCK_HASH' })).kind).toBe('invalid');
  });

  test('INVALID is heard through rollup-boost, which makes an error of it; its other errors are no word', () => {
    const told = (code: number, message: string) => readPayloadStatus({ kind: 'error', code, message });
    expect(told(13, 'Invalid payload: INVALID')).toEqual({
      kind: 'invalid',
      message: 'Invalid payload: INVALID',
      latestValidHash: null,
    });
    expect(told(13, 'Request timeout').kind).toBe('none');
    expect(told(-32602, 'Invalid payload attributes').kind).toBe('none');
  });

  test('words that are missing or of another kind are left out, long ones are cut', () => {
    expect(readPayloadStatus(result({ status: 'INVALID', latestValidHash: null, validationError: null }))).toEqual({
      kind: 'invalid',
      message: '',
      latestValidHash: null,
    });
    const long = readPayloadStatus(result({ status: 'INVALID', validationError: 'x'.repeat(100_000) }));
    expect(long.kind === 'invalid' && long.message.length).toBe(500);
  });

  test.each([
    ['syncing', result({ status: 'SYNCING', latestValidHash: null })],
    ['accepted', result({ status: 'ACCEPTED' })],
    ['timeout', failed('timeout')],
    ['unauthorized', failed('unauthorized')],
    ['error', failed('refused')],
    ['error', failed('overflow')],
    ['error', failed('malformed')],
    ['error', error],
    ['error', result(null)],
    ['error', result('VALID')],
    ['error', result({ status: 'valid' })],
  ])('%s is no word about it', (reason, answer) => {
    expect(readPayloadStatus(answer)).toEqual({ kind: 'none', reason });
  });
});

describe('what a client says of itself', () => {
  test('bad blocks by hash; a list that cannot be read whole is none', () => {
    expect(readBadBlocks(result([{ hash, block: {}, rlp: '0x' }]))).toEqual([hash.toLowerCase()]);
    expect(readBadBlocks(result([]))).toEqual([]);
    for (const answer of [result([{}]), result(null), error, failed('refused')])
      expect(readBadBlocks(answer)).toBeNull();
  });

  test('syncing, not syncing, not said', () => {
    expect(readSyncing(result(false))).toBe(false);
    expect(readSyncing(result({ startingBlock: '0x0', currentBlock: '0x1' }))).toBe(true);
    expect(readSyncing(result({ currentBlock: '0x1', highestBlock: '0x2' }))).toBe(true);
    expect(readSyncing(result({ currentBlock: '0x2', highestBlock: '0x0', txIndexRemainingBlocks: '0x3' }))).toBe(
      false,
    );
    expect(readSyncing(result({ currentBlock: '0x2', highestBlock: '0x2', stateIndexRemaining: '0x1' }))).toBe(false);
    // reth: its own head, both times, while its stages run.
    expect(readSyncing(result({ currentBlock: '0x2', highestBlock: '0x2', stages: [] }))).toBe(true);
    for (const answer of [result(null), result('no'), error, failed('timeout')]) expect(readSyncing(answer)).toBeNull();
  });

  test('stages at its head, elsewhere, or none', () => {
    const said = (...blocks: string[]): CallResult =>
      result({ currentBlock: '0x2', highestBlock: '0x2', stages: blocks.map((block) => ({ name: 'Finish', block })) });
    for (const answer of [said(), said('0x2'), said('0x2', '0x02')]) expect(areStagesLevel(answer)).toBe(true);
    for (const answer of [said('0x3'), said('0x2', '0x1'), said('2')]) expect(areStagesLevel(answer)).toBe(false);
    const others = [result(false), result({ currentBlock: '0x2' }), result({ stages: [] }), error, failed('timeout')];
    for (const answer of others) expect(areStagesLevel(answer)).toBeNull();
  });

  test.each([
    ['op-reth/v2.4.0-1a2b3c4d/x86_64-unknown-linux-gnu', false],
    ['reth/v1.9.3-27a8c0f/x86_64-unknown-linux-gnu', false],
    ['base-reth-node/v0.3.0', false],
    ['Geth/v1.101702.3-stable/linux-amd64/go1.24.0', true],
    ['Nethermind/v1.35.0/linux-x64/dotnet10.0.0', true],
    ['', true],
    [null, null],
  ])('%j executes blocks that it built itself: %j', (name, isExecuting) =>
    expect(executesOwnBlocks(name)).toBe(isExecuting),
  );

  test.each([
    ['answers', result('0x1')],
    ['answers', error],
    ['refused', failed('refused')],
    ['refused', failed('unreachable')],
    ['silent', failed('timeout')],
    ['unauthorized', failed('unauthorized')],
    [null, failed('overflow')],
    [null, failed('cancelled')],
  ])('alive: %s', (said, answer) => expect(readAlive(answer)).toBe(said));

  test('it is asked on a connection of its own and for a short time', () => {
    for (const target of ['engine', 'execution'] as const)
      expect(aliveProbe(target)).toMatchObject({ target, isProbe: true, timeoutMs: 300 });
  });
});

test('an L1 block is asked for by height or tag', () => {
  expect(l1Block(31n)).toMatchObject({ target: 'l1', method: 'eth_getBlockByNumber', params: '["0x1f",false]' });
  expect(l1Block('finalized').params).toBe('["finalized",false]');
});
