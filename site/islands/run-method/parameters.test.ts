import { describe, expect, it } from 'vitest';
import { bodyOf, firstText, laidOut } from './parameters.ts';

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

  it('lay an answer out, and leave what is no JSON', () => {
    expect(laidOut('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(laidOut('not JSON')).toBe('not JSON');
  });
});
