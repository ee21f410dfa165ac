import { spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { completionCommand } from './completion-command.ts';
import { shells, type Shell } from './completion.ts';
import { devnetCommand } from '#conductor/devnet/command';
import { flagTable } from './flags.ts';

/** What the command prints for a shell. */
function scriptFor(shell: Shell): string {
  const program = new Command('conductor');
  devnetCommand(program);
  completionCommand(program);
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
  onTestFinished(() => write.mockRestore());
  program.parse(['completion', shell], { from: 'user' });
  write.mockRestore();
  return printed;
}

function isInstalled(shell: Shell): boolean {
  return Bun.which(shell) !== null;
}

/** Runs text in a shell without any of the user's own settings. */
function run(shell: Shell, program: string): string {
  const options = { zsh: ['-f', '-c'], bash: ['--norc', '--noprofile', '-c'], fish: ['--no-config', '-c'] }[shell];
  const { stdout, stderr, status } = spawnSync(shell, [...options, program], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** What bash offers after a line, split into words as bash splits it. */
function offeredByBash(script: string, ...words: string[]): string[] {
  const quoted = ['conductor', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _conductor; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run('bash', `${script}\n${ask}`)
    .split('\n')
    .filter((line) => line !== '');
}

describe('bash', () => {
  test('completes commands, flags and words, after = as after a space', (context) => {
    context.skip(!isInstalled('bash'), 'bash is not installed');
    const script = scriptFor('bash');
    expect(offeredByBash(script, 'dev')).toEqual(['devnet']);
    expect(offeredByBash(script, '--raft.heart')).toEqual(['--raft.heartbeat-timeout']);
    expect(offeredByBash(script, 'run', '--paus')).toEqual(['--paused']);
    expect(offeredByBash(script, '--log.format', 'json')).toEqual(['json', 'jsonms']);
    expect(offeredByBash(script, '--log.format', '=', 'te')).toEqual(['text', 'terminal']);
    expect(offeredByBash(script, '--log.level', '=')).toHaveLength(6);
    expect(offeredByBash(script, '--network', 'unichain')).toEqual(['unichain-mainnet', 'unichain-sepolia']);
    expect(offeredByBash(script, 'devnet', '--block')).toEqual(['--block-time']);
    expect(offeredByBash(script, 'completion', 'f')).toEqual(['fish']);
    expect(offeredByBash(script, '--raft.storage.dir', 'x')).toEqual([]);
    const names = flagTable.map((flag) => `--${flag.name}`);
    expect(offeredByBash(script, 'run', '--')).toEqual(expect.arrayContaining(names));
  });
});

describe.each(shells)('%s', (shell) => {
  test('has every flag and its choices', () => {
    const script = scriptFor(shell);
    for (const flag of flagTable) {
      expect(script).toContain(shell === 'fish' ? `-l ${flag.name} ` : `--${flag.name}`);
      for (const choice of flag.choices ?? []) expect(script).toContain(choice);
    }
  });
  test('accepts the script', (context) => {
    context.skip(!isInstalled(shell), `${shell} is not installed`);
    run(shell, shell === 'zsh' ? `autoload -U compinit; compinit -D; ${scriptFor(shell)}` : scriptFor(shell));
  });
});

test('another shell is refused with the known ones', () => {
  const program = new Command('conductor').exitOverride();
  completionCommand(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  expect(() => program.parse(['completion', 'tcsh'], { from: 'user' })).toThrow(/bash, zsh, fish/);
});
