import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { executeRequest } from '../sequencer/sequencer.ts';
import { directToLoopback, proxiesAsInGo } from './proxies.ts';

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
const before = names.map((name) => [name, process.env[name]] as const);
beforeEach(() => names.forEach((name) => delete process.env[name]));
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** What answers a call to `url`. */
async function answerTo(url: string): Promise<string> {
  const endpoints = { node: url, execution: '', executionPeers: '', rollupBoost: '' };
  const request = { target: 'node', method: 'admin_sequencerActive', params: '[]', timeoutMs: 2000 } as const;
  const answer = await executeRequest(endpoints, request);
  return answer.kind === 'result' ? String(answer.value) : answer.message;
}

function answering(word: string): string {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json({ result: word }) });
  onTestFinished(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

const everybody = [...names.filter((name) => name.toLowerCase() !== 'no_proxy')];

test.each(everybody)('with %s a call to this machine does not go through the proxy', async (name) => {
  process.env[name] = 'http://127.0.0.1:1';
  proxiesAsInGo(process.env);
  const node = answering('the node');
  expect(await answerTo(node)).toBe('the node');
  expect(await answerTo(node.replace('127.0.0.1', 'localhost'))).toBe('the node');
});

test('a call to another machine does, unless NO_PROXY names it', async () => {
  process.env['http_proxy'] = answering('the proxy');
  proxiesAsInGo(process.env);
  expect(await answerTo('http://192.0.2.1:9545')).toBe('the proxy');
  process.env['NO_PROXY'] += ',node.invalid';
  expect(await answerTo('http://node.invalid:9545')).not.toBe('the proxy');
});

test('the capitals count first', async () => {
  process.env['HTTP_PROXY'] = answering('the proxy');
  process.env['http_proxy'] = 'http://127.0.0.1:1';
  proxiesAsInGo(process.env);
  expect(await answerTo('http://192.0.2.1:9545')).toBe('the proxy');
});

test('what NO_PROXY names already stays, in either spelling', () => {
  const lower = { no_proxy: '10.0.0.0/8' };
  directToLoopback(lower);
  expect(lower).toEqual({ NO_PROXY: '10.0.0.0/8,localhost,127.0.0.0/8,::1' });
  const both = { NO_PROXY: 'node', no_proxy: 'other' };
  directToLoopback(both);
  expect(both).toEqual({ NO_PROXY: 'node,localhost,127.0.0.0/8,::1' });
});
