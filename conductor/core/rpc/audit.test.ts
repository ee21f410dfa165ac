import { describe, expect, test } from 'vitest';
import { ConductorWorld } from '../testing/conductor-world.ts';
import { noListener } from '../published-event.ts';
import { adminOutcome, auditAdminCall } from './audit.ts';
import { methodTable } from './methods.ts';
import { failed, nothing, unknown } from './outcomes.ts';
import { decodeParams, type ParamSpec, type ParamValue } from './params.ts';

/** The values of the example that the table has. */
function exampleOf(params: readonly ParamSpec[]): readonly ParamValue[] {
  const values = params.map(({ example }) => example);
  const decoded = decodeParams(params, { values, text: JSON.stringify(values) });
  if (decoded.kind === 'invalid') throw new Error(decoded.message);
  return decoded.values;
}

describe('the audit log', () => {
  const admin = methodTable.filter((method) => method.admin).map(({ name, params }) => [name, params] as const);
  test.each(admin)('%s leaves one line and one count, with who, what and outcome', (method, params) => {
    const world = ConductorWorld.bootstrapped();
    const values = exampleOf(params);
    const { error } = world.ask(method, values);
    expect(world.audited).toHaveLength(1);
    const [line] = world.audited;
    expect(line).toMatchObject({ method, params: values.map(String), from: 'test', as: 'alice' });
    const { outcome = 'failed' } = (error?.data ?? {}) as { readonly outcome?: string };
    expect(line?.['outcome']).toBe(error === undefined ? 'done' : outcome);
    expect(line?.['err']).toBe(error?.message);
    expect(world.counts.get(`admin_calls_total ${method} ${String(line?.['outcome'])}`)).toBe(1);
  });

  const others = methodTable.filter((method) => !method.admin).map(({ name, params }) => [name, params] as const);
  test.each(others)('%s leaves none', (method, params) => {
    const world = ConductorWorld.bootstrapped();
    world.ask(method, exampleOf(params));
    expect(world.audited).toEqual([]);
  });

  test('says what a call changed: the state before and after', () => {
    const world = ConductorWorld.bootstrapped();
    const changes = (): unknown[] => world.audited.splice(0).map(({ state, before, after }) => [state, before, after]);
    world.ask('conductor_resume');
    world.ask('conductor_pause');
    world.ask('conductor_overrideLeader', [true]);
    expect(changes()).toEqual([
      ['paused', 'true', 'false'],
      ['paused', 'false', 'true'],
      ['overridden', 'false', 'true'],
    ]);
    world.ask('conductor_addServerAsNonvoter', ['b', '127.0.0.1:2', 0n]);
    const [[state, before, after]] = changes() as [[string, string, string]];
    expect([state, before]).toEqual(['version', '1']);
    expect(Number(after)).toBeGreaterThan(1);
    world.ask('conductor_removeServer', ['b', 1n]);
    expect(world.audited[0]).toMatchObject({ outcome: 'failed', state: 'version', before: after, after });
    world.audited.length = 0;
    world.ask('conductor_transferLeader');
    world.ask('conductor_stop');
    expect(changes()).toEqual([
      ['leader', 'a', 'a'],
      ['stopped', 'false', 'true'],
    ]);
  });

  test('keeps its lines short, whatever the parameters are', () => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const ports = {
      logger: { log: (_level: string, _message: string, fields = {}) => void lines.push(fields) },
      metrics: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
      events: noListener,
    };
    const call = { method: 'conductor_pause', from: '', as: '', outcome: 'invalid', error: '' } as const;
    const deep: unknown = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    auditAdminCall(ports, {
      ...call,
      params: ['x'.repeat(1_000_000), deep, null, 5, ...Array.from({ length: 100_000 }, () => 1)],
    });
    const [{ params }] = lines as [{ params: string[] }];
    expect(params).toHaveLength(9);
    expect(params[0]).toMatch(/^x{256}\.\.\. \(1000000 characters\)$/);
    expect(params.slice(1, 4)).toEqual(['object', 'null', '5']);
    expect(params[8]).toBe('and 99996 more');
    expect(lines[0]).not.toHaveProperty('as');
  });

  test('tells an outcome that is unknown from a failure', () => {
    const outcomes = [nothing, failed('x'), unknown('x', 'timeout')].map(adminOutcome);
    expect(outcomes).toEqual(['done', 'failed', 'unknown']);
  });
});
