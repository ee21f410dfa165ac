import { expect, test } from 'vitest';
import { isLoopback, isLoopbackHost } from './loopback.ts';

test.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1', '[::1]', '::ffff:127.0.0.1'])('%s is loopback', (hostname) =>
  expect(isLoopback(hostname)).toBe(true),
);
test.each(['0.0.0.0', '::', '', '10.0.0.1', '128.0.0.1', 'localhost.example.com', '127.example.com'])(
  '%j is not',
  (hostname) => expect(isLoopback(hostname)).toBe(false),
);

test.each([
  '127.0.0.1:8545',
  'LOCALHOST:8545',
  'localhost.',
  'localhost.:1',
  'node-1.localhost:80',
  '[::1]:8545',
  '[::1]',
])('the Host header %s is of this machine', (host) => expect(isLoopbackHost(host)).toBe(true));
test.each([
  '',
  'evil.example',
  'evil.example:8545',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '10.0.0.1:127',
])('the Host header %j is not', (host) => expect(isLoopbackHost(host)).toBe(false));
