/**
 * For line-output.test.ts: a process that logs numbered lines, a slice per turn of its event loop, says so on standard
 * error, and goes on with one more line for every line it is told.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createLogger } from '../logging.ts';

const linesPerTurn = 100;
const [, , lines] = process.argv;

const logger = createLogger({ level: 'info', format: 'json', hasColor: false, hasPid: false });
const filler = '- '.repeat(500);

for (let number = 0; number < Number(lines); number += 1) {
  if (number % linesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
  logger.log('info', 'said', { number, filler });
}
writeSync(2, 'all said\n');
for await (const line of createInterface({ input: process.stdin })) {
  logger.log('info', line, {});
  writeSync(2, `${line}\n`);
}
