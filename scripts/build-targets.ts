/**
 * What a binary can be built for: the machines of toolchain.json. The runtime that goes into the file is
 * the pinned package from npm, checked against its sha-512, for this machine as for any other.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bringBun, chooseBun } from './setup-bun.mjs';
import { takeLock } from './setup-lock.mjs';

const scripts = import.meta.dirname;
const tools = join(scripts, '..', '.tools');

export interface Target {
  /** As in file names: linux-x64, linux-arm64-musl, … */
  readonly name: string;
  readonly platform: string;
  readonly arch: string;
  readonly libc?: 'glibc' | 'musl';
}

/** A target by its name, or this machine. Throws with the known names for any other. */
export function targetOf(name?: string): Target {
  const { builds } = JSON.parse(readFileSync(join(scripts, 'toolchain.json'), 'utf8')) as {
    builds: Omit<Target, 'name'>[];
  };
  const targets = builds.map(({ platform, arch, libc }): Target => {
    const suffix = libc === 'musl' ? '-musl' : '';
    return { name: `${platform}-${arch}${suffix}`, platform, arch, ...(libc === undefined ? {} : { libc }) };
  });
  const own = chooseBun(scripts, tools).build;
  const target = targets.find((one) =>
    name === undefined
      ? one.platform === own.platform && one.arch === own.arch && one.libc === own.libc
      : one.name === name,
  );
  if (target !== undefined) return target;
  throw new Error(`no target is called ${name}: there are ${targets.map((one) => one.name).join(', ')}`);
}

/** Path of the target's Bun, fetched the first time. */
export async function bringRuntime(target: Target): Promise<string> {
  const bun = chooseBun(scripts, tools, target);
  if (existsSync(bun.binary)) return bun.binary;
  mkdirSync(tools, { recursive: true });
  const release = await takeLock(join(tools, 'setup.lock'), () => console.log('Waiting for another set-up …'));
  try {
    if (!existsSync(bun.binary)) {
      rmSync(bun.folder, { recursive: true, force: true });
      await bringBun(bun, scripts, tools);
    }
  } finally {
    release();
  }
  return bun.binary;
}
