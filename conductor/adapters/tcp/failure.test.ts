import { describe, expect, test } from 'vitest';
import { closeFailure, connectFailure } from './failure.ts';

function error(code: string): Error {
  return Object.assign(new Error(`${code}: text\n syscall: "read"`), { code });
}

describe('a failed connect', () => {
  const quick = { isSynchronous: false, elapsedMs: 0.4 };
  test('is refused when the peer’s kernel said so', () => {
    expect(connectFailure(error('ECONNREFUSED'), quick).reason).toBe('refused');
  });
  test('is unreachable without a route, with a silent neighbour, or for any other error', () => {
    expect(connectFailure(error('ECONNREFUSED'), { ...quick, isSynchronous: true }).reason).toBe('unreachable');
    expect(connectFailure(error('ECONNREFUSED'), { ...quick, elapsedMs: 3050 }).reason).toBe('unreachable');
    expect(connectFailure(error('EACCES'), quick).reason).toBe('unreachable');
    expect(connectFailure(new Error('odd'), quick)).toEqual({ reason: 'unreachable', message: 'odd after 0.4 ms' });
  });
  test('is reset when the peer reset it', () => {
    expect(connectFailure(error('ECONNRESET'), quick).reason).toBe('reset');
  });
});

describe('an open connection that ended', () => {
  test('is reset when the peer or its kernel closed it', () => {
    expect(closeFailure(undefined).reason).toBe('reset');
    expect(closeFailure(error('ECONNRESET'))).toEqual({ reason: 'reset', message: 'ECONNRESET: text' });
    expect(closeFailure(error('EPIPE')).reason).toBe('reset');
  });
  test('is unreachable when keep-alive or retransmission gave up: that is no evidence that nobody listens', () => {
    expect(closeFailure(error('ETIMEDOUT')).reason).toBe('unreachable');
    expect(closeFailure(error('EHOSTUNREACH')).reason).toBe('unreachable');
  });
});
