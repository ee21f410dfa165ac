import { createHmac } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '#conductor/core/errors';
import { Credentials } from './credentials.ts';

const folder = mkdtempSync(join(tmpdir(), 'conductor-auth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const alice = 'alice-token-0123456789';
const bob = 'bob-token-0123456789';
const carol = 'carol-token-0123456789';
const secretHex = 'ab'.repeat(32);
const nowMs = 1_800_000_000_000;
let lines: string[] = [];
let files = 0;
beforeEach(() => {
  lines = [];
});

function write(text: string, mode = 0o600, path = join(folder, `file-${(files += 1)}`)): string {
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function open(tokensFile: string, jwtSecretFile = ''): Credentials {
  const credentials = new Credentials({
    tokensFile,
    jwtSecretFile,
    logger: { log: (level, message, fields) => void lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`) },
    nowMs: () => nowMs,
  });
  credentials.close();
  return credentials;
}

/** Two polls: one to see a change, one to see that it has settled. */
function settle(credentials: Credentials): void {
  credentials.poll();
  credentials.poll();
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const who = (credentials: Credentials, header: string | null): string => {
  const identity = credentials.identify(header);
  return identity.kind === 'allowed' ? identity.name : identity.message;
};

function jwt(claims: object): string {
  const body = ['{"alg":"HS256"}', JSON.stringify(claims)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  return `${body}.${createHmac('sha256', Buffer.from(secretHex, 'hex')).update(body).digest('base64url')}`;
}

describe('the Authorization header', () => {
  test('names a caller by token, as bearer in any case or as the password of its name', () => {
    const credentials = open(write(`alice ${alice}\nbob ${bob}`));
    expect(who(credentials, `Bearer ${alice}`)).toBe('alice');
    expect(who(credentials, `bearer  ${bob} `)).toBe('bob');
    expect(who(credentials, basic('bob', bob))).toBe('bob');
  });

  test('names a caller by JWT, beside tokens or alone', () => {
    const iat = nowMs / 1000;
    const both = open(write(`alice ${alice}`), write(secretHex));
    expect(who(both, `Bearer ${jwt({ iat })}`)).toBe('jwt');
    expect(who(both, `Bearer ${alice}`)).toBe('alice');
    expect(who(open('', write(secretHex)), `Bearer ${jwt({ iat, sub: 'ops' })}`)).toBe('jwt:ops');
  });

  test('is refused with what to do, and without what was presented', () => {
    const credentials = open(write(`alice ${alice}`), write(secretHex));
    const headers = [
      null,
      '',
      'Bearer',
      `Bearer ${bob}`,
      `Bearer ${alice} ${alice}`,
      `Digest ${alice}`,
      alice,
      `Bearer ${alice}, Bearer ${alice}`,
      basic('bob', alice),
      basic('alice', bob),
      `Basic ${Buffer.from(alice).toString('base64')}`,
      basic('', ''),
      'Basic !!!!',
      `Bearer ${jwt({ iat: 5 })}`,
      `Bearer ${'x'.repeat(100_000)}`,
    ];
    for (const header of headers) {
      const said = who(credentials, header);
      expect(said, header ?? 'no header').toMatch(/^unauthorized: .*Authorization: Bearer.*tokens-file.*jwt-secret/);
      for (const secret of [alice, bob, secretHex, jwt({ iat: 5 })]) expect(said).not.toContain(secret);
    }
  });

  test('of any text is judged, never believed', () => {
    const credentials = open(write(`alice ${alice}`), write(secretHex));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((one) => `Bearer ${one}`),
      fc.base64String().map((one) => `Basic ${one}`),
      fc.uint8Array().map((bytes) => `Basic ${Buffer.from(bytes).toString('base64')}`),
    );
    fc.assert(
      fc.property(text, (header) => {
        expect(credentials.identify(header).kind).toBe('refused');
      }),
    );
  });
});

describe('files at the start', () => {
  test.each([
    ['that is missing', () => join(folder, 'nowhere'), 'ENOENT'],
    ['that is a folder', () => folder, 'it is not a file'],
    ['without a token', () => write('# nobody\n'), 'it holds no token'],
    ['with a bad line', () => write('alice'), 'line 1'],
    ['too large', () => write('#'.repeat(2 * 1024 * 1024)), 'bytes'],
    [
      'that is no text',
      () => {
        const path = write('');
        writeFileSync(path, new Uint8Array([0xff, 0xfe, 0xff]));
        return path;
      },
      'cannot be used',
    ],
  ])('a tokens file %s is an error that names flag and path', (_, make, why) => {
    const path = make();
    expect(() => open(path)).toThrow(ConfigError);
    expect(() => open(path)).toThrow(`--rpc.auth.tokens-file: ${path} cannot be used: `);
    expect(() => open(path)).toThrow(why);
  });

  test('a secret that is none is an error that does not repeat it', () => {
    const path = write('not-a-secret');
    expect(() => open('', path)).toThrow(`--rpc.auth.jwt-secret: ${path} cannot be used`);
    expect(() => open('', path)).not.toThrow('not-a-secret');
  });

  test('that every user can read are a warning', () => {
    open(write(`alice ${alice}`, 0o644), write(secretHex, 0o640));
    expect(lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
    expect(lines[0]).toContain('rpc.auth.tokens-file');
  });
});

describe('files that change', () => {
  test('are read again when they have settled: new tokens hold, old ones no longer', () => {
    const path = write(`alice ${alice}`);
    const credentials = open(path);
    write(`carol ${carol}`, 0o600, path);
    credentials.poll();
    expect(who(credentials, `Bearer ${alice}`)).toBe('alice');
    credentials.poll();
    expect(who(credentials, `Bearer ${carol}`)).toBe('carol');
    expect(credentials.identify(`Bearer ${alice}`).kind).toBe('refused');
    expect(lines).toEqual([expect.stringMatching(/^info read a file with secrets again/)]);
  });

  test('are read at once when somebody asks for it, changed or not; a bad one changes nothing', () => {
    const path = write(`alice ${alice}`);
    const credentials = open(path);
    write(`carol ${carol}`, 0o600, path);
    credentials.reload();
    expect(who(credentials, `Bearer ${carol}`)).toBe('carol');
    expect(credentials.identify(`Bearer ${alice}`).kind).toBe('refused');
    settle(credentials);
    expect(lines).toHaveLength(1);
    credentials.reload();
    expect(lines).toEqual(Array(2).fill(expect.stringMatching(/^info read a file with secrets again/)));
    write('nonsense-secret', 0o600, path);
    credentials.reload();
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^warn a file with secrets cannot be used: .*stays in force/),
    ]);
    expect(who(credentials, `Bearer ${carol}`)).toBe('carol');
  });

  test('are found behind links that are switched, as orchestrators mount secrets', () => {
    const link = join(folder, `link-${(files += 1)}`);
    mkdirSync(`${link}-a`);
    mkdirSync(`${link}-b`);
    write(`alice ${alice}`, 0o600, join(`${link}-a`, 'tokens'));
    write(`bob ${bob}`, 0o600, join(`${link}-b`, 'tokens'));
    symlinkSync(`${link}-a`, link);
    const credentials = open(join(link, 'tokens'));
    symlinkSync(`${link}-b`, `${link}-new`);
    renameSync(`${link}-new`, link);
    settle(credentials);
    expect(who(credentials, `Bearer ${bob}`)).toBe('bob');
  });

  test('to something bad, or go away, leave what was in force, with one warning each that tells no secret', () => {
    const [tokens, secret] = [write(`alice ${alice}`), write(secretHex)];
    const credentials = open(tokens, secret);
    const iat = nowMs / 1000;
    const changes = [
      () => write(`alice ${alice}\nnonsense-secret`, 0o600, tokens),
      () => unlinkSync(tokens),
      () => write('nonsense-secret', 0o600, secret),
    ];
    for (const [position, change] of changes.entries()) {
      change();
      for (let poll = 0; poll < 5; poll += 1) credentials.poll();
      expect(lines).toHaveLength(position + 1);
      expect(who(credentials, `Bearer ${alice}`)).toBe('alice');
      expect(who(credentials, `Bearer ${jwt({ iat })}`)).toBe('jwt');
    }
    expect(lines.join('\n')).toMatch(/^(warn .*stays in force.*\n?){3}$/);
    expect(lines.join('\n')).not.toContain('nonsense-secret');
    write(`bob ${bob}`, 0o600, tokens);
    settle(credentials);
    expect(who(credentials, `Bearer ${bob}`)).toBe('bob');
  });

  test('to no tokens at all withdraw them', () => {
    const path = write(`alice ${alice}`);
    const credentials = open(path);
    write('# locked', 0o600, path);
    settle(credentials);
    expect(credentials.identify(`Bearer ${alice}`).kind).toBe('refused');
    expect(lines.at(-1)).toContain('no token is accepted');
  });
});
