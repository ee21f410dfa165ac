/** Mutants of the engine API: what counts as a word about a block, and who is asked in whose name (rule 28). */
import { mutantsOf, type Mutant } from './mutant.ts';

export const engineMutants: readonly Mutant[] = [
  ...mutantsOf('conductor/core/node/engine-calls.ts', 'conductor/core/node/engine-calls.test.ts', [
    {
      id: 'rule 28',
      law: 'A client that is syncing has said nothing about a block.',
      find: "return { kind: 'none', reason: 'syncing' };",
      replace: "return { kind: 'valid' };",
      testName: '%s is no word about it',
    },
    {
      id: 'rule 28',
      law: 'A block that a client keeps for later has not been executed.',
      find: "return { kind: 'none', reason: 'accepted' };",
      replace: "return { kind: 'valid' };",
      testName: '%s is no word about it',
    },
    {
      id: 'rule 28',
      law: 'A refused token is told from an error.',
      find: "reason: reason === 'timeout' || reason === 'unauthorized' ? reason : 'error'",
      replace: "reason: reason === 'timeout' ? reason : 'error'",
      testName: '%s is no word about it',
    },
  ]),
  ...mutantsOf('conductor/core/node/engine-calls.ts', 'conductor/core/node/engine-calls.vectors.test.ts', [
    {
      id: 'rule 28',
      law: 'A withdrawals root of an empty list makes no payload of version 4.',
      find: 'const version = sszVersion(envelope.executionPayload);',
      replace:
        'const version = envelope.executionPayload.withdrawalsRoot === null ? sszVersion(envelope.executionPayload) : 4;',
      testName: 'a withdrawals root of an empty list makes no Isthmus payload, as in its SSZ',
    },
  ]),
  ...mutantsOf('conductor/adapters/engine/engine-client.ts', 'conductor/adapters/engine/engine-client.test.ts', [
    {
      id: 'rule 28',
      law: 'Every request to the engine API carries a token issued now.',
      find: 'const token = engineToken(this.#secret.content, unixMs() / 1000);',
      replace: 'const token = engineToken(this.#secret.content, 1_700_000_000 + 0 * unixMs());',
      testName: 'each request carries one of its own, issued now',
    },
    {
      id: 'rule 28',
      law: 'A refused token has the secret read again at once.',
      find: 'if (isUnauthorized(result) && this.#secret.reread(isSame)) result = await this.#post(request, endsAtMs);',
      replace: '',
      testName: 'has the secret read again at once: a new one costs no request',
    },
    {
      id: 'rule 28',
      law: 'A changed secret is read before it is refused.',
      find: 'this.#secret.poll();',
      replace: '',
      testName: 'a changed secret is noticed without a refusal, too: when two looks a second apart agree',
    },
    {
      id: 'rule 28',
      law: 'Questions do not wait behind payloads.',
      find: "request.method.startsWith('engine_newPayload') ? this.#payloads : this.#questions",
      replace: "request.method.startsWith('engine_') || true ? this.#payloads : this.#questions",
      testName: 'four payloads are under way at a time, 64 wait, more are not sent; questions pass them',
    },
    {
      id: 'rule 28',
      law: 'What is under way at the engine API is bounded in bytes.',
      find: 'if (this.#outstandingLength + length > outstandingLengthMax)',
      replace: 'if (this.#outstandingLength < 0)',
      testName: 'a request that is too large, and more than can be held, is not sent',
    },
  ]),
  ...mutantsOf('conductor/adapters/sequencer/json-rpc-post.ts', 'conductor/adapters/sequencer/sequencer.test.ts', [
    {
      id: 'rule 28',
      law: 'The hash of an L1 header is the one that L1 gives it.',
      find: " && request.target !== 'l1'",
      replace: '',
      testName: 'the hash of an L1 header is kept: a later fork may have added fields to it',
    },
  ]),
];
