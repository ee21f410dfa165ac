import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineFormatter, type Line, type LogFormat } from './logging-format.ts';

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const file = JSON.parse(readFileSync(join(folder, 'log-format.json'), 'utf8')) as {
  formats: Record<string, { examples: string[] }>;
};

const ranks = ['trace', 'debug', 'info', 'warn', 'error', 'crit'];
const rank = (level: string): number => ranks.indexOf(level);

/** Every recorded line is there in every format; the JSON form says what went in. */
const lines = (file.formats['json/debug']?.examples ?? []).map((text): Line => {
  const { lvl, msg, ...rest } = JSON.parse(text) as Record<string, unknown> & { lvl: Line['level']; msg: string };
  const fields = Object.entries(rest).filter(([key]) => key !== 't');
  return { unixMs: Date.UTC(2026, 10, 21, 10, 6, 31, 123), level: lvl, message: msg, fields };
});

const volatileText = /0x[0-9a-f]+|\d+(\.\d+)?(µs|ms|s)\b|127\.0\.0\.1:\d+/g;
function masked(text: string): string {
  return text
    .replace(/^t=\S+/, 't=T')
    .replace(/\[\d\d-\d\d\|[^\]]*\]/, '[T]')
    .replace(/"t":"[^"]*"/, '"t":"T"')
    .replace(/reqid="?1"?/, 'reqid=1')
    .replace(/response_len("?)[=:]\d+/, 'response_len$1=N')
    .replace(/duration="?[^ ]*"?/, 'duration=D')
    .replace(volatileText, 'V');
}

describe('log lines have the recorded form', () => {
  const formats = [...new Set(Object.keys(file.formats))];
  test('all six forms were recorded', () =>
    expect(new Set(formats.map((name) => name.split('/')[0]))).toEqual(
      new Set(['text', 'terminal', 'logfmt', 'logfmtms', 'json', 'jsonms']),
    ));

  test.each(formats)('%s', (name) => {
    const [form, level] = name.split('/') as [LogFormat, Line['level']];
    const format = lineFormatter(form, false);
    const recorded = file.formats[name]?.examples ?? [];
    const shown = lines.filter((line) => rank(line.level) >= rank(level));
    expect(recorded).toHaveLength(shown.length);
    for (const [position, line] of shown.entries()) {
      const theirs = recorded[position] as string;
      if (theirs.includes('%+v')) continue; // A formatting slip of theirs around a list.
      const ours = format(line);
      // Padding between values depends on the lines in between, of which we have none.
      expect(masked(ours).replace(/ +/g, ' ')).toBe(masked(theirs).replace(/ +/g, ' '));
      expect(upToFirstValue(ours)).toBe(upToFirstValue(theirs));
    }
  });

  /** Everything before the first value of a field, with digits of times as 0; fractions of a second may be shorter. */
  function upToFirstValue(text: string): string {
    if (text.startsWith('{'))
      return /^\{"t":"[^"]*","lvl":"[a-z]+","msg":"/.exec(text)?.[0].replaceAll(/\.?\d+Z|\d/g, '0') ?? '';
    const time = /^(t=\S+|.{5}\[[^\]]*\])/.exec(text)?.[0] ?? '';
    const rest = /^[^=]* (?:msg="[^"]*" )?[\w-]+=/.exec(text.slice(time.length))?.[0] ?? '';
    return time.replaceAll(/\d/g, '0') + rest;
  }

  test('text with colours is the terminal form; keys have the colour of the level', () => {
    const line: Line = { unixMs: 0, level: 'warn', message: 'm', fields: [['key', 'v']] };
    expect(lineFormatter('text', true)(line)).toMatch(
      /^\u001b\[33mWARN \u001b\[0m\[\S+\] m {39} \u001b\[33mkey\u001b\[0m=v$/,
    );
    for (const form of ['logfmt', 'logfmtms', 'json', 'jsonms'] as const)
      expect(lineFormatter(form, true)(line)).not.toContain('\u001b');
  });

  test('the terminal form separates thousands of large numbers, and quotes what could break out', () => {
    const format = lineFormatter('terminal', false);
    const shown = (value: unknown, message = 'm'): string =>
      format({ unixMs: 0, level: 'info', message, fields: [['k', value]] });
    expect(shown(99_999)).toMatch(/=99999$/);
    expect(shown(1_234_567)).toMatch(/=1,234,567$/);
    expect(shown(-100_000n)).toMatch(/=-100,000$/);
    expect(shown(1.5)).toMatch(/=1\.500$/);
    expect(shown('\u001b[2J', 'a\u001b[2J')).not.toContain('\u001b');
  });

  test('the terminal form pads the message to 40 and values to the widest of their key', () => {
    const format = lineFormatter('terminal', false);
    const at = (fields: Line['fields']): string =>
      format({ unixMs: 0, level: 'info', message: 'm', fields }).slice('INFO [01-01|00:00:00.000] '.length);
    expect(
      at([
        ['addr', '127.0.0.1:50050'],
        ['err', 'x'],
      ]),
    ).toBe(`${'m'.padEnd(40)} addr=127.0.0.1:50050 err=x`);
    expect(
      at([
        ['addr', 'a'],
        ['err', 'x'],
      ]),
    ).toBe(`${'m'.padEnd(40)} addr=${'a'.padEnd(15)} err=x`);
  });

  test('control characters cannot break out of a line', () => {
    const format = lineFormatter('logfmt', false);
    const text = format({ unixMs: 0, level: 'info', message: 'a\nlvl=crit', fields: [['k', '\u001b[2J']] });
    expect(text).not.toMatch(/[\n\u001b]/);
  });
});
