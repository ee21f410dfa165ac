import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { singular, TOKEN_LENGTH_MAX, tokenize, wordsOf } from './tokenize.ts';

describe('an identifier is kept whole and is split at its joints', () => {
  test.each([
    [
      'conductor_addServerAsVoter',
      ['conductor_addserverasvoter', 'conductor', 'addserverasvoter', 'add', 'server', 'voter'],
    ],
    ['OP_CONDUCTOR_RPC_PORT', ['op_conductor_rpc_port', 'opconductorrpcport', 'op', 'conductor', 'rpc', 'port']],
    ['--raft.bootstrap', ['raft.bootstrap', 'raftbootstrap', 'raft', 'bootstrap']],
    ['--healthcheck.min-peer-count=2', ['healthcheck.min-peer-count', 'healthcheck', 'min', 'peer', 'count', '2']],
    ['eth_getBlockByNumber', ['eth_getblockbynumber', 'eth', 'getblockbynumber', 'get', 'block', 'number']],
    ['L1StandardBridge', ['l1standardbridge', 'l1', 'standard', 'bridge']],
    ['SuperchainERC20', ['superchainerc20', 'superchain', 'erc20']],
    ['ERC-20', ['erc-20', 'erc20', 'erc', '20']],
    ['JSONRpcServer', ['jsonrpcserver', 'json', 'rpc', 'server']],
    ['op-node/op-geth', ['op-node', 'opnode', 'op-geth', 'opgeth', 'geth']],
    ['http://127.0.0.1:8547', ['http', '127.0.0.1', '8547']],
    ['"method":"conductor_pause","params":[]', ['method', 'conductor_pause', 'pause', 'params']],
  ])('%s', (text, expected) => expect(tokenize(text)).toEqual(expect.arrayContaining(expected)));

  test('an address is one token in lower case, whatever its checksum says', () => {
    expect(tokenize('0xdAC17F958D2ee523a2206206994597C13D831ec7')).toEqual([
      '0xdac17f958d2ee523a2206206994597c13d831ec7',
    ]);
  });
});

test('prose: punctuation, marks and possessives fall away, plurals stand beside their singulars', () => {
  expect(tokenize('The sequencer’s policies don’t change.')).toEqual([
    'the',
    'sequencer',
    'policies',
    'policy',
    'dont',
    'change',
  ]);
  expect(tokenize('Élection … über 3 nœuds')).toEqual(expect.arrayContaining(['election', 'uber', '3']));
  expect(tokenize('İstanbul ﷺ ℌeight')).toEqual(['istanbul', 'صلىاللهعليهوسلم', 'height']);
});

test.each([
  ['nodes', 'node'],
  ['fees', 'fee'],
  ['addresses', 'address'],
  ['batches', 'batch'],
  ['policies', 'policy'],
  ['status', 'status'],
  ['consensus', 'consensus'],
  ['address', 'address'],
  ['gas', 'gas'],
  ['alias', 'alias'],
  ['bus', 'bus'],
])('the singular of %s is %s', (plural, expected) => expect(singular(plural)).toBe(expected));

const identifier = fc
  .array(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/), { minLength: 1, maxLength: 6 })
  .chain((pieces) => fc.constantFrom('_', '.', '-').map((joint) => ({ pieces, text: pieces.join(joint) })));

describe('laws', () => {
  test('an identifier is found whole and by each of its pieces, in whatever text it stands', () => {
    fc.assert(
      fc.property(
        identifier,
        fc.constantFrom(' ', ' --', '"', '(', '`', '\n', '$', '=', ':'),
        ({ pieces, text }, before) => {
          const tokens = tokenize(`one${before}${text}, two.`);
          expect(tokens).toContain(text.toLowerCase());
          for (const piece of pieces) if (piece.length > 1) expect(tokens).toContain(piece.toLowerCase());
        },
      ),
    );
  });

  test('what is found does not depend on case, but for the humps that lower case has lost', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.lorem(),
          identifier.map(({ text }) => text),
        ),
        (text) => {
          const plain = text.replace(/[^\p{ASCII}]/gu, '');
          expect(tokenize(plain)).toEqual(expect.arrayContaining(tokenize(plain.toLowerCase())));
        },
      ),
    );
  });

  test('any text gives lower-case tokens of bounded length without spaces, each once, which find themselves', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const tokens = tokenize(text);
        expect(new Set(tokens).size).toBe(tokens.length);
        for (const token of tokens) {
          expect(token).toBe(token.toLowerCase());
          expect(token.length).toBeLessThanOrEqual(TOKEN_LENGTH_MAX);
          expect(token).not.toMatch(/\s/);
          if (/^[a-z0-9]+$/.test(token)) expect(tokenize(token)).toContain(token);
        }
      }),
    );
  });

  test('words stand in order, apart, where the text has them, and their tokens within them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        let at = 0;
        for (const { start, end, tokens } of wordsOf(text)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          for (const token of tokens)
            expect(token.start >= 0 && token.end <= end - start && token.end > token.start).toBe(true);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test('a blob is one token: it is not searched for by its pieces', () => {
    const blob = Array.from({ length: 50_000 }, (_, position) => `k${position.toString(36)}Z`).join('');
    expect(tokenize(`"${blob}"`)).toEqual([blob.slice(0, TOKEN_LENGTH_MAX).toLowerCase()]);
  });
});
