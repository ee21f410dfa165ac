/** Bytes that the real encoder made of the real structs, for every message. */
import { describe, expect, test } from 'vitest';
import type { RpcRequest, RpcResponse } from '../raft/types.ts';
import { decodeConfiguration, encodeConfiguration } from './configuration.ts';
import { RequestDecoder, ResponseDecoder } from './decode-message.ts';
import { encodeRequest, encodeResponse } from './encode-message.ts';
import { decodeEntry, encodeEntry } from './entry.ts';
import { ZERO_GO_TIME } from './go-time.ts';
import { concatenate } from './testing/pieces.ts';
import { address, entry, header, heartbeat, snapshotWith } from './testing/sample-messages.ts';

const zeroHeader = { protocolVersion: 0, id: null, address: null };
const CONFIGURATION_HEX =
  '81a7536572766572739283a741646472657373ae3132372e302e302e313a37303030a24944a26e31a853756666726167650083a741646472657373ae3132372e302e302e313a37303031a24944a26e32a8537566667261676501';
const configuration = Uint8Array.fromHex(CONFIGURATION_HEX);

const snapshot = snapshotWith(configuration);

/** Bodies that the real encoder made of the real structs. */
const REQUESTS: readonly [name: string, request: RpcRequest, hex: string][] = [
  [
    'heartbeat',
    heartbeat,
    '0089a441646472ae3132372e302e302e313a37303030a7456e7472696573c0a24944a26e31a64c6561646572ae3132372e302e302e313a37303030b14c6561646572436f6d6d6974496e64657800ac507265764c6f67456e74727900ab507265764c6f675465726d00af50726f746f636f6c56657273696f6e03a45465726d05',
  ],
  [
    'append of one entry',
    { ...heartbeat, prevLogIndex: 6, prevLogTerm: 4, leaderCommit: 6, entries: [entry] },
    '0089a441646472ae3132372e302e302e313a37303030a7456e74726965739186aa417070656e6465644174af010000000edf6ba85a075bcd15ffffa444617461a26869aa457874656e73696f6e73c0a5496e64657807a45465726d05a45479706500a24944a26e31a64c6561646572ae3132372e302e302e313a37303030b14c6561646572436f6d6d6974496e64657806ac507265764c6f67456e74727906ab507265764c6f675465726d04af50726f746f636f6c56657273696f6e03a45465726d05',
  ],
  [
    'vote',
    {
      kind: 'vote',
      ...header,
      term: 6,
      candidate: address,
      lastLogIndex: 7,
      lastLogTerm: 5,
      leadershipTransfer: false,
    },
    '0188a441646472ae3132372e302e302e313a37303030a943616e646964617465ae3132372e302e302e313a37303030a24944a26e31ac4c6173744c6f67496e64657807ab4c6173744c6f675465726d05b24c6561646572736869705472616e73666572c2af50726f746f636f6c56657273696f6e03a45465726d06',
  ],
  [
    'pre-vote',
    { kind: 'prevote', ...header, term: 6, lastLogIndex: 7, lastLogTerm: 5 },
    '0486a441646472ae3132372e302e302e313a37303030a24944a26e31ac4c6173744c6f67496e64657807ab4c6173744c6f675465726d05af50726f746f636f6c56657273696f6e03a45465726d06',
  ],
  [
    'snapshot',
    snapshot,
    `028ca441646472ae3132372e302e302e313a37303030ad436f6e66696775726174696f6eda005a${CONFIGURATION_HEX}b2436f6e66696775726174696f6e496e64657801a24944a26e31ac4c6173744c6f67496e646578cd012cab4c6173744c6f675465726d05a64c6561646572ae3132372e302e302e313a37303030a55065657273c0af50726f746f636f6c56657273696f6e03a453697a65d100c8af536e617073686f7456657273696f6e01a45465726d06${'09'.repeat(200)}`,
  ],
  [
    'timeout now',
    { kind: 'timeoutNow', ...header },
    '0383a441646472ae3132372e302e302e313a37303030a24944a26e31af50726f746f636f6c56657273696f6e03',
  ],
];

const RESPONSES: readonly [name: string, response: RpcResponse, kind: RpcRequest['kind'], hex: string][] = [
  [
    'append',
    { kind: 'append', ...header, term: 5, lastLog: 7, success: true, noRetryBackoff: false },
    'append',
    'a087a441646472ae3132372e302e302e313a37303030a24944a26e31a74c6173744c6f6707ae4e6f52657472794261636b6f6666c2af50726f746f636f6c56657273696f6e03a753756363657373c3a45465726d05',
  ],
  [
    'vote',
    { kind: 'vote', ...header, term: 6, granted: true },
    'vote',
    'a086a441646472ae3132372e302e302e313a37303030a74772616e746564c3a24944a26e31a55065657273c0af50726f746f636f6c56657273696f6e03a45465726d06',
  ],
  [
    'pre-vote',
    { kind: 'prevote', ...header, term: 6, granted: true },
    'prevote',
    'a085a441646472ae3132372e302e302e313a37303030a74772616e746564c3a24944a26e31af50726f746f636f6c56657273696f6e03a45465726d06',
  ],
  [
    'snapshot, header left zero',
    { kind: 'snapshot', ...zeroHeader, term: 6, success: true },
    'snapshot',
    'a085a441646472c0a24944c0af50726f746f636f6c56657273696f6e00a753756363657373c3a45465726d06',
  ],
  [
    'timeout now, header left zero',
    { kind: 'timeoutNow', ...zeroHeader },
    'timeoutNow',
    'a083a441646472c0a24944c0af50726f746f636f6c56657273696f6e00',
  ],
  [
    'error without a body',
    { kind: 'error', message: 'operation not supported with current protocol version' },
    'append',
    'da00356f7065726174696f6e206e6f7420737570706f7274656420776974682063757272656e742070726f746f636f6c2076657273696f6ec0',
  ],
];

const ENTRIES: readonly [name: string, entry: Parameters<typeof encodeEntry>[0], hex: string][] = [
  [
    'zero time',
    { index: 1, term: 1, type: 5, data: Uint8Array.of(1), extensions: null, appendedAt: ZERO_GO_TIME },
    '86aa417070656e6465644174af01000000000000000000000000ffffa444617461a101aa457874656e73696f6e73c0a5496e64657801a45465726d01a45479706505',
  ],
  [
    'time with a zone',
    { ...entry, appendedAt: Uint8Array.fromHex('010000000edf6ba85a075bcd150078') },
    '86aa417070656e6465644174af010000000edf6ba85a075bcd150078a444617461a26869aa457874656e73696f6e73c0a5496e64657807a45465726d05a45479706500',
  ],
  [
    'empty is not nil',
    { ...entry, index: 1, term: 1, data: new Uint8Array(0), extensions: new Uint8Array(0) },
    '86aa417070656e6465644174af010000000edf6ba85a075bcd15ffffa444617461a0aa457874656e73696f6e73a0a5496e64657801a45465726d01a45479706500',
  ],
];

describe('bytes of the real encoder', () => {
  test.each(REQUESTS)('request: %s', (_, request, hex) => {
    expect(concatenate(encodeRequest(request)).toHex()).toBe(hex);
    const decoder = new RequestDecoder();
    decoder.push(Uint8Array.fromHex(hex));
    expect(decoder.next()).toEqual(request);
    expect(decoder.next()).toBeNull();
  });

  test.each(RESPONSES)('response: %s', (_, response, kind, hex) => {
    expect(concatenate(encodeResponse(response)).toHex()).toBe(hex);
    const decoder = new ResponseDecoder();
    decoder.push(Uint8Array.fromHex(hex));
    expect(decoder.next(kind)).toEqual(response);
    expect(decoder.next(kind)).toBeNull();
  });

  test.each(ENTRIES)('stored entry: %s', (_, stored, hex) => {
    expect(encodeEntry(stored).toHex()).toBe(hex);
    expect(decodeEntry(Uint8Array.fromHex(hex))).toEqual(stored);
  });

  test('stored entry in the new time format is read as the same moment in UTC', () => {
    const hex =
      '86aa417070656e6465644174a81d6f345467d9b15aa444617461a26869aa457874656e73696f6e73c0a5496e64657807a45465726d05a45479706500';
    expect(decodeEntry(Uint8Array.fromHex(hex))).toEqual(entry);
  });

  test('configuration', () => {
    const told = {
      servers: [
        { id: 'n1', address: '127.0.0.1:7000', suffrage: 0 },
        { id: 'n2', address: '127.0.0.1:7001', suffrage: 1 },
      ],
    } as const;
    expect(encodeConfiguration(told).toHex()).toBe(CONFIGURATION_HEX);
    expect(decodeConfiguration(configuration)).toEqual(told);
  });
});
