import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineFormatter, type Line, type LogFormat } from './logging-format.ts';

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const file = JSON.parse(readFileSync(join(folder, 'log-format.json'), 'utf8')) as {
  formats: Record<string, { examples: string[] }>;
};

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
    .replace(/response_len=\d+/, 'response_len=N')
    .replace(/duration="?[^ ]*"?/, 'duration=D')
    .replace(volatileText, 'V');
}

describe('log lines have the recorded form', () => {
  test.each(['logfmt/debug', 'text/debug', 'logfmtms/debug', 'terminal/debug', 'json/debug'])('%s', (name) => {
    const format = lineFormatter(name.split('/')[0] as LogFormat, false);
    const recorded = file.formats[name]?.examples ?? [];
    expect(recorded).toHaveLength(lines.length);
    for (const [position, line] of lines.entries()) {
      const theirs = recorded[position] as string;
      if (theirs.includes('%+v')) continue; // A formatting slip of theirs around a list.
      const ours = masked(format(line)).replace(/ +/g, ' ');
      expect(ours).toBe(masked(theirs).replace(/ +/g, ' '));
    }
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
