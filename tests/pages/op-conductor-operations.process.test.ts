/**
 * The commands of the Conductor page that need no cluster: tokens for admin methods, and taking over what
 * op-conductor left on disk.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { unpack } from '#conductor/migration/testing/unpack';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { LoneConductor } from '../process/lone-conductor.ts';
import { AddressProxy } from './address-proxy.ts';
import { PageRunner } from './page-runner.ts';
import { whyNoShell } from './shell.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'page-operations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with a program `conductor`. */
function conductorProgram(): string {
  const folder = temporaryFolder();
  const words = conductorCommand().map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  writeFileSync(join(folder, 'conductor'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
  chmodSync(join(folder, 'conductor'), 0o755);
  return folder;
}

describe('operations', () => {
  test('with tokens an admin method asks who calls', async (context) => {
    const missing = whyNoShell(['openssl']);
    if (missing !== null) context.skip(missing);
    const folder = temporaryFolder();
    await using conductor = new LoneConductor(join(folder, 'state'), 'node-1');
    await using proxy = new AddressProxy(new Map([['127.0.0.1:8547', `127.0.0.1:${conductor.rpcPort}`]]));
    const runner = new PageRunner({ proxyUrl: proxy.url, folder });
    await runner.run('tokens/make');
    conductor.start(['--rpc.enable-admin', `--rpc.auth.tokens-file=${join(folder, 'tokens')}`]);
    await conductor.answers('conductor_paused', false);
    await runner.run('tokens/refused');
    await conductor.answers('conductor_paused', false);
    for (const name of ['tokens/curl', 'tokens/cast']) {
      await runner.run(name);
      await conductor.answers('conductor_paused', true);
      await conductor.wrote(/admin call.*alice/);
      // Again by the other client: paused is not stored.
      await conductor.kill();
      conductor.start(['--rpc.enable-admin', `--rpc.auth.tokens-file=${join(folder, 'tokens')}`]);
      await conductor.answers('conductor_paused', false);
    }
  });

  test("op-conductor's directory is looked at, taken over and given back", async (context) => {
    const missing = whyNoShell();
    if (missing !== null) context.skip(missing);
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'raft'));
    cpSync(unpack('single-restarted'), join(folder, 'raft', 'sequencer-1'), { recursive: true });
    const runner = new PageRunner({ folder, programs: conductorProgram() });
    for (const name of ['migration/look', 'migration/import', 'migration/export']) await runner.run(name);
    expect(readdirSync(join(folder, 'raft', 'sequencer-1'))).toContain('conductor.db.exported');
  });
});
