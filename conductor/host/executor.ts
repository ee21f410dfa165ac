/** Carries out the requests of a run's conductor: each target at the URL that the flags name, the engine API by its client. */
import { monotonicMs } from '#conductor/adapters/clock/clock';
import { EngineClient } from '#conductor/adapters/engine/engine-client';
import { executeRequest, type Endpoints } from '#conductor/adapters/sequencer/sequencer';
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import type { Logger, Metrics } from '#conductor/core/ports';
import type { RunConfig } from './settings/flags-config.ts';

/** Runs one request to its end; never rejects. */
export type Execute = (request: NodeRequest) => Promise<CallResult>;

export interface Executor {
  readonly execute: Execute;
  /** Reads the engine API's secret again, where there is one. */
  reload(): void;
}

/** Throws ConfigError when the engine API's secret cannot be used. */
export function createExecutor(
  config: RunConfig,
  ports: { readonly logger: Logger; readonly metrics: Metrics },
): Executor {
  const endpoints: Endpoints = {
    node: config.nodeUrl,
    execution: config.executionUrl,
    executionPeers: config.executionPeersUrl,
    l1: config.l1Url,
    rollupBoost: config.rollupBoostUrl,
  };
  if (config.engine === null)
    return { execute: (request) => executeRequest(endpoints, request), reload: () => undefined };
  const engine = new EngineClient({ ...config.engine, ...ports, unixMs: Date.now, now: monotonicMs });
  return {
    execute: (request) => (request.target === 'engine' ? engine.execute(request) : executeRequest(endpoints, request)),
    reload: () => engine.reload(),
  };
}
