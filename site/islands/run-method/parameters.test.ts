import { describe, expect, it } from 'vitest';
import { bodyOf, commandOf, firstText, laidOut } from './parameters.ts';

const ADD = [
  { name: 'id', type: 'string' },
  { name: 'addr', type: 'string' },
  { name: 'version', type: 'uint64' },
];

describe('the fields of a method', () => {
  it('begin with a call that can be made', () => {
    expect(bodyOf('conductor_addServerAsVoter', ADD, ADD.map(firstText))).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"conductor_addServerAsVoter","params":["s1","s1:50050",0]}',
    );
  });

  it('send what cannot be read as it is written: the server says what is wrong', () => {
    const body = JSON.parse(bodyOf('m', [{ name: 'version', type: 'uint64' }], ['seven'])) as { params: unknown[] };
    expect(body.params).toEqual(['seven']);
  });

  it('are the words of a command line that sends the same', () => {
    const body = bodyOf(
      'm',
      [
        { name: 'id', type: 'string' },
        { name: 'p', type: 'payload' },
      ],
      ["it's", '{"a": "b c"}'],
    );
    const echo = (command: string): string =>
      Bun.spawnSync([
        'bash',
        '-c',
        `curl() { printf '%s' "$7"; }; cast() { printf '%s\\n' "$@"; }\n${command}`,
      ]).stdout.toString();
    expect(echo(commandOf('curl', body, 8547))).toBe(body);
    expect(
      echo(commandOf('cast', body, 8548))
        .trimEnd()
        .split('\n'),
    ).toEqual([...['rpc', 'm', "it's", '{"a":"b c"}', '--rpc-url', 'http://127.0.0.1:8548']]);
  });

  it('lay an answer out, and leave what is no JSON', () => {
    expect(laidOut('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(laidOut('not JSON')).toBe('not JSON');
  });
});
