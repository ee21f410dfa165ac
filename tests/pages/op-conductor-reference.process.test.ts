/** Every call of the RPC reference on the Conductor page, made for real; each in the state that the page names. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { callName, clients, examplesOf, methodOrder } from '../../site/engine/generated/conductor-methods.ts';
import { PageRunner } from './page-runner.ts';
import { ReferenceCluster } from './reference-cluster.ts';
import { whyNoShell } from './shell.ts';

const missing = whyNoShell();
const calls = methodOrder.flatMap((method) =>
  examplesOf(method).flatMap(({ given }, at) =>
    clients.map((client) => ({ given, name: callName(method, at, client) })),
  ),
);
let cluster: ReferenceCluster;
let runner: PageRunner;

beforeAll(async () => {
  if (missing !== null) return;
  cluster = new ReferenceCluster();
  await cluster.form();
  runner = new PageRunner({ proxyUrl: cluster.proxyUrl });
});

afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
});

describe('the page shows what is printed by', () => {
  test.for(['probes/healthz', 'probes/readyz'])('%s', async (name, context) => {
    if (missing !== null) context.skip(missing);
    await cluster.prepare('node-1 leads');
    await runner.run(name);
  });

  test.for(calls)('$name', async ({ name, given }, context) => {
    if (missing !== null) context.skip(missing);
    await cluster.prepare(given);
    await runner.run(name);
  });
});
