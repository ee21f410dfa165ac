/**
 * Prints what one commit's trace costs: microseconds of processor time, from the plain values to what is sent, over many
 * traces in batches as large as those of a minute. Words: the collector's address, and how many.
 */
import { openTraces } from '#conductor/adapters/tracing/open-traces';
import { traceSettings } from '#conductor/adapters/tracing/trace-settings';
import { commitTrace, type CommitRecord } from '#conductor/host/traces/commit-record';

const [endpoint = '', count = '0'] = process.argv.slice(2);
const settings = traceSettings(endpoint, { OTEL_BSP_SCHEDULE_DELAY: '100' })!;
let lost = 0;
const metrics = { count: () => void (lost += 1), gauge: () => undefined, observe: () => undefined };
const logger = { log: () => undefined };
const options = { settings: { ...settings, url: settings.url! }, serverId: 'n1', version: 'v1', metrics, logger };
const traces = await openTraces(options);

const asked = (whom: string) => ({ whom, beganMs: 6, endedMs: 9, error: null });
const record: CommitRecord = {
  ...{ parent: null, hash: `0x${'ab'.repeat(32)}`, number: 7, arrivedMs: 0, wholeMs: 1, readMs: 2, takenMs: 3 },
  ...{ admittedMs: 4, validations: [asked('the own client')], appendedMs: 6, durableMs: 8, index: 9, term: 2 },
  ...{ replications: [asked('n2'), asked('n3')], majorityMs: 9, committedMs: 10, answeredMs: 11 },
  outcome: { kind: 'result', json: 'null' },
};
/** Spans of ten traces wait at most, as in ten seconds. */
const atOnce = 10;
const emit = async (many: number): Promise<void> => {
  for (let each = 0; each < many; each += 1) {
    traces.emit(commitTrace(record, 'n1'));
    if (each % atOnce === atOnce - 1) await Bun.sleep(2 * 100);
  }
};
await emit(5 * atOnce);
const before = process.cpuUsage();
await emit(Number(count));
const { user, system } = process.cpuUsage(before);
await traces.close();
process.stdout.write(`${JSON.stringify({ microsPerTrace: Math.round((user + system) / Number(count)), lost })}\n`);
