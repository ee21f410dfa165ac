/**
 * What the pages say of op-deployer, against the op-deployer of v1.19.6: the intents that `init` writes, which of them
 * `apply` refuses before it asks L1 anything, and what `validate auto` looks at. Nothing is downloaded or deployed: L1 is
 * a server here that has code at every address, or none.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needOpStack } from '../../bench/op-stack.ts';
import { CommandPage } from './page-commands.ts';

const PAGES = 'content/pages/builders/chain-operators';
const CHAIN_ID = 0x4321;
const CHAIN = `0x${CHAIN_ID.toString(16).padStart(64, '0')}`;
const BUILD_MS_MAX = 900_000;
const COMMAND_MS_MAX = 30_000;
const proxies = ['SystemConfigProxy', 'L1CrossDomainMessengerProxy', 'L1StandardBridgeProxy', 'OptimismPortalProxy'];

const folder = mkdtempSync(join(tmpdir(), 'op-deployer-'));
let program: string | null = null;
let missing = '';

beforeAll(async () => {
  const found = await needOpStack('op-deployer');
  if ('path' in found) program = found.path;
  else missing = found.missing;
}, BUILD_MS_MAX);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly output: string;
}

async function run(words: readonly string[]): Promise<Ended> {
  const child = Bun.spawn([program ?? '', ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: COMMAND_MS_MAX,
  });
  const [output, complaints, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: output + complaints };
}

/** Writes the intent of a type; its text. */
async function init(type: string): Promise<string> {
  const { code, output } = await run([
    ...['init', '--l1-chain-id', '11155111', '--l2-chain-ids', String(CHAIN_ID)],
    ...['--workdir', type, '--intent-type', type],
  ]);
  expect(code, output).toBe(0);
  return readFileSync(join(folder, type, 'intent.toml'), 'utf8');
}

/** Own addresses for everything that is zero, but for the asset that the chain does not have. */
function filled(intent: string): string {
  const nobody = /(?<key>(?:Recipient|AdminOwner|ConfigOwner|Signer|batcher|proposer)) = "0x0{40}"/g;
  return intent.replaceAll(nobody, (_, key: string) => `${key} = "0x${'1'.repeat(40)}"`);
}

async function apply(type: string, intent: string): Promise<string> {
  writeFileSync(join(folder, type, 'intent.toml'), intent);
  const words = ['apply', '--workdir', type, '--deployment-target', 'noop', '--l1-rpc-url', 'http://127.0.0.1:1'];
  return (await run(words)).output;
}

const challenger = /challenger = "0x[0-9a-fA-F]{40}"/;
const ownChallenger = `challenger = "0x${'2'.repeat(40)}"`;

describe('the intents of op-deployer', () => {
  test('have every key of the examples on the pages', async (context) => {
    if (program === null) return context.skip(missing);
    const written = await init('standard-overrides');
    const examples = [
      new CommandPage(`${PAGES}/tools/op-deployer.mdx`).file('.deployer/intent.toml'),
      new CommandPage(`${PAGES}/deploy/smart-contracts.mdx`).file('.deployer/intent.toml, one chain'),
    ];
    for (const example of examples) {
      const keys = [...example.matchAll(/^(\w+) = /gm)].map(([, key]) => key ?? '');
      expect(keys.length).toBeGreaterThan(10);
      expect(keys.filter((key) => !new RegExp(`^\\s*${key} = `, 'm').test(written))).toEqual([]);
    }
  });

  test('standard refuses own owners and an own challenger, standard-overrides takes them', async (context) => {
    if (program === null) return context.skip(missing);
    const standard = filled(await init('standard'));
    expect(await apply('standard', standard)).toContain('invalid l1ProxyAdminOwner address for chain');
    expect(await apply('standard', standard.replace(challenger, ownChallenger))).toContain(
      'invalid challenger address',
    );
    const overrides = filled(await init('standard-overrides')).replace(challenger, ownChallenger);
    expect(await apply('standard-overrides', overrides)).not.toContain('failed to validate');
  });

  test('custom has no contracts manager and zero roles of the Superchain, and is refused as it is', async (context) => {
    if (program === null) return context.skip(missing);
    const custom = await init('custom');
    expect(custom).not.toContain('opcmAddress');
    expect(custom).toMatch(/SuperchainProxyAdminOwner = "0x0{40}"/);
    expect(custom).toContain('eip1559Denominator = 0');
    expect(await apply('custom', custom)).toContain('failed to validate intent-type=custom');
  });

  test('of the type standard may have no custom gas token', async (context) => {
    if (program === null) return context.skip(missing);
    const asset = '[chains.customGasToken]\n    name = "Example Token"\n    symbol = "EXT"';
    const withAsset = (intent: string): string => intent.replace('[chains.customGasToken]', asset);
    const standard = withAsset(filled(await init('standard')));
    expect(await apply('standard', standard)).toContain('custom gas token must be disabled for standard chains');
    const overrides = withAsset(filled(await init('standard-overrides')));
    expect(await apply('standard-overrides', overrides)).not.toContain('failed to validate');
  });
});

describe('validate auto', () => {
  /** An L1 with this code everywhere, and the methods that it was asked. */
  function l1(code: string): { readonly url: string; readonly asked: string[]; readonly stop: () => void } {
    const asked: string[] = [];
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const { id, method } = (await request.json()) as { id: number; method: string };
        asked.push(method);
        return Response.json({ jsonrpc: '2.0', id, result: code });
      },
    });
    return { url: `http://127.0.0.1:${server.port}`, asked, stop: () => void server.stop(true) };
  }

  async function validate(code: string, words: readonly string[]): Promise<Ended & { readonly asked: string[] }> {
    await init('standard-overrides');
    const address = (at: number): string => `0x${String(at + 1).repeat(40)}`;
    const contracts = Object.fromEntries(proxies.map((name, at) => [name, address(at)]));
    const state = {
      version: 1,
      appliedIntent: { configType: 'standard-overrides', l1ChainID: 11_155_111, chains: [{ id: CHAIN }] },
      opChainDeployments: [{ id: CHAIN, ...contracts }],
    };
    writeFileSync(join(folder, 'standard-overrides/state.json'), JSON.stringify(state));
    const { url, asked, stop } = l1(code);
    try {
      const all = ['validate', 'auto', '--l1-rpc-url', url, '--workdir', 'standard-overrides', ...words];
      return { ...(await run(all)), asked };
    } finally {
      stop();
    }
  }

  test('asks whether four proxies have code, and nothing else', async (context) => {
    if (program === null) return context.skip(missing);
    const { code, output, asked } = await validate('0x60', ['--fail']);
    expect(code, output).toBe(0);
    expect(asked).toEqual(proxies.map(() => 'eth_getCode'));
  });

  test('fails for an address without code with --fail, and only warns without', async (context) => {
    if (program === null) return context.skip(missing);
    expect((await validate('0x', ['--fail'])).code).not.toBe(0);
    const lenient = await validate('0x', []);
    expect(lenient.code, lenient.output).toBe(0);
    expect(lenient.output).toContain('Contract has no code');
  });

  test('takes a chain id in hexadecimal, and does not find one in decimal', async (context) => {
    if (program === null) return context.skip(missing);
    const decimal = await validate('0x60', [String(CHAIN_ID)]);
    expect(decimal.output).toContain(`chain with ID ${CHAIN_ID} not found in deployment`);
    const hex = await validate('0x60', [CHAIN]);
    expect(hex.code, hex.output).toBe(0);
  });
});
