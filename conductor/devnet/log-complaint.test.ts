import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lastComplaint, readComplaint } from './log-complaint.ts';

const INFO = 't=2026-11-21T14:51:15+0000 lvl=info msg="all is well" err=none';
const ERROR = 't=2026-11-21T14:51:16+0000 lvl=error msg="cannot stop" err="connection refused"';
const CRIT = 't=2026-11-21T14:51:17+0000 lvl=crit msg="Application failed" message="port 1 is \\"taken\\"\\nby us"';

describe('the last complaint of a log', () => {
  it('is its last line of level error or crit, with the cause', () => {
    expect(lastComplaint([ERROR, CRIT, INFO, ''].join('\n'))).toBe('port 1 is "taken" by us');
    expect(lastComplaint([CRIT, ERROR].join('\n'))).toBe('cannot stop: connection refused');
  });

  it.each([
    ['panic: runtime error: index out of range', 'panic: runtime error: index out of range'],
    ["error: Cannot find module './x.ts'", "error: Cannot find module './x.ts'"],
    ['TypeError: undefined is not a function', 'TypeError: undefined is not a function'],
  ])('may be %s', (line, complaint) => expect(lastComplaint(`${INFO}\n${line}\n    at x.ts:1\n`)).toBe(complaint));

  it('is nothing in a log without one', () => {
    expect(lastComplaint('')).toBeNull();
    expect(lastComplaint(INFO)).toBeNull();
  });

  it('has no control characters and a bounded length', () => {
    const text = lastComplaint(`error: \u001B[2J${'x'.repeat(1_000)}`) ?? '';
    expect(text).toMatch(/^error: {2}\[2Jx+$/);
    expect(text).toHaveLength(300);
  });

  it('is read only from what was appended since the process started', () => {
    const folder = mkdtempSync(join(tmpdir(), 'complaint-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'log');
    writeFileSync(path, `${ERROR}\n${INFO}\n`);
    expect(readComplaint(path, 0)).toBe('cannot stop: connection refused');
    expect(readComplaint(path, ERROR.length + 1)).toBeNull();
    expect(readComplaint(join(folder, 'none'), 0)).toBeNull();
  });
});
