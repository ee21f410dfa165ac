import { describe, expect, it } from 'vitest';
import { checkUrl } from './healthcheck-command.ts';

describe('what a health check asks', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:8545/healthz'],
    ['', 'http://127.0.0.1:8545/healthz'],
    ['::', 'http://[::1]:8545/healthz'],
    ['[::]', 'http://[::1]:8545/healthz'],
    ['[fd00::7]', 'http://[fd00::7]:8545/healthz'],
    ['10.0.0.7', 'http://10.0.0.7:8545/healthz'],
    ['sequencer-0', 'http://sequencer-0:8545/healthz'],
  ])('a conductor that listens on "%s"', (hostname, url) => {
    expect(checkUrl(hostname, 8545, false)).toBe(url);
  });

  it('readiness has a path of its own', () => {
    expect(checkUrl('127.0.0.1', 9000, true)).toBe('http://127.0.0.1:9000/readyz');
  });
});
