/**
 * The dev_ methods about the execution client: what it seals and refuses, how it is, and what it loses. They live on
 * the op-node port, which answers whatever the client does.
 */
import type { ExecutionClient } from './execution-client.ts';
import type { ExecutionServers } from './execution-servers.ts';
import { EXECUTION_STATES, FAULT_DELAY_MS_MAX, INVALID_SEAL_KINDS, type Faults } from './faults.ts';
import type { RpcMethods } from './json-rpc-server.ts';
import { boundedParam, hashParam, quantityParam, wordParam } from './params.ts';
import type { PayloadBuilder } from './payload-builder.ts';

/** Hashes that can be rejected at a time. */
const REJECTED_MAX = 64;

/** What the methods act on. */
export interface ExecutionDevMethodsOptions {
  readonly client: ExecutionClient;
  readonly builder: PayloadBuilder;
  readonly servers: ExecutionServers;
  readonly faults: Faults;
}

/** The methods. */
export function executionDevMethods({ client, builder, servers, faults }: ExecutionDevMethodsOptions): RpcMethods {
  return {
    dev_execution: () => {
      const { number, hash } = client.head;
      const [bad] = client.badBlocks;
      return {
        state: faults.execution,
        number,
        hash,
        losses: client.losses,
        refusals: client.refusals,
        lastRefused: bad === undefined ? null : { number: bad.block.number, hash: bad.block.hash, reason: bad.reason },
      };
    },
    dev_sealInvalid: ([count, kind]) => {
      const seals = count === undefined ? 1 : boundedParam(count, 0, -1, Number.MAX_SAFE_INTEGER);
      faults.invalidSealKind = kind === undefined ? 'any' : wordParam(kind, 1, INVALID_SEAL_KINDS);
      faults.invalidSealsLeft = seals < 0 ? Infinity : seals;
    },
    dev_reject: (hashes) =>
      void (faults.rejectedHashes = hashes.slice(0, REJECTED_MAX).map((hash, at) => hashParam(hash, at))),
    dev_slowExecution: ([delayMs]) => void (faults.executionDelayMs = boundedParam(delayMs, 0, 0, FAULT_DELAY_MS_MAX)),
    dev_setExecution: async ([state]) => {
      faults.execution = wordParam(state, 0, EXECUTION_STATES);
      await servers.follow();
    },
    dev_loseHead: ([blocks]) => {
      builder.forget();
      return client.loseBlocks(blocks === undefined ? Number.MAX_SAFE_INTEGER : quantityParam(blocks, 0)).number;
    },
  };
}
