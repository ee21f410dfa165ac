/** Twenty histories of real processes, judged from outside; `npm run histories` plays more of them. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildJudge } from '../../bench/histories/judge.ts';
import { Seeded } from '../cluster/seeded.ts';

const COUNT = 20;
const MS_MAX = 20 * 60_000;
const MAIN = join(import.meta.dirname, '../../bench/histories/main.ts');

it(
  'what clients of conductors saw is linearizable, says a checker that is not ours',
  { timeout: MS_MAX },
  async (context) => {
    const missing = await buildJudge();
    if (missing !== null) return context.skip(missing);
    const { seed } = Seeded.announced('histories');
    const words = [`--count=${COUNT}`, `--seed=${seed}`, '--trial'];
    const child = Bun.spawn([process.execPath, MAIN, ...words], { stdout: 'pipe', stderr: 'inherit' });
    const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    console.log(output);
    expect(output).toContain(`${COUNT} histories`);
    expect(code).toBe(0);
  },
);
