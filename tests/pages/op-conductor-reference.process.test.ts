/** Every call of the RPC reference on the Conductor page, made for real; each in the state that the page names. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { methodNotes } from '../../site/engine/generated/conductor-method-notes.ts';
import { callName, clients, methodOrder } from '../../site/engine/generated/conductor-methods.ts';
import { CommandPage } from './page-commands.ts';
import { checkOutput } from './recording.ts';
import { ReferenceCluster } from './reference-cluster.ts';
import { runCommand, whyNoShell } from './shell.ts';

const missing = whyNoShell();
const page = new CommandPage('content/pages/builders/chain-operators/tools/op-conductor.mdx');
const calls = methodOrder.flatMap((method) =>
  methodNotes[method].examples.flatMap(({ given }, at) =>
    clients.map((client) => ({ given, name: callName(method, at, client) })),
  ),
);
let cluster: ReferenceCluster;

beforeAll(async () => {
  if (missing !== null) return;
  cluster = new ReferenceCluster();
  await cluster.form();
});

afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
});

describe('the page shows what is printed by', () => {
  test.for(calls)('$name', async ({ name, given }, context) => {
    if (missing !== null) context.skip(missing);
    await cluster.prepare(given);
    const { command, shown } = page.command(name);
    checkOutput('op-conductor', name, { printed: await runCommand(command, cluster.proxyUrl), shown });
  });
});
