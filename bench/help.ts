/** What `npm run bench -- --help` prints. */
import { benchmarks } from './benchmarks.ts';
import { textTable } from '../scripts/text-table.ts';

/** One line, for a command line that was not understood. */
export const usage =
  'usage: npm run bench -- [<benchmark> …] [goals] [--quick] [--minutes=N] [--only=go|bun] [--rounds=N] [--rows=WORDS] [--keep] [--help]';

export function help(): string {
  const rows = Object.entries(benchmarks).map(([name, { title, beside, minutes }]) => [
    ...[name, title, beside === 'gonode' ? 'hashicorp/raft' : beside],
    `${minutes.full}, quick ${minutes.quick}`,
  ]);
  const table = [
    ['benchmark', 'measures', 'beside', 'minutes'],
    ...rows,
    ['goals', 'the table of goals, from kept results'],
  ];
  const lines = textTable(table, () => false);
  return `${usage}

Without a name: all benchmarks, then the table of goals.

${lines.join('\n')}

--quick       few and short measurements; the table of goals is then that of what was put aside
--minutes=N   as much of each as fits into N minutes together
--only=bun    ours alone; --only=go the others alone
--rounds=N    of benchmarks that go row by row (disagreement, gaps, incidents, upstream): at most N rounds of each row
--rows=WORDS  of the same: rows whose title, of disagreement with its cluster, matches this regular expression
--keep        results take the kept ones' place even where they say less
-h, --help    this text

Results are kept in bench/results unless the run was quick, left out a side that the benchmark compares, or had less
effort than the kept one: then they are put aside into .cache/bench, and that is said.

OP_CONDUCTOR_BIN, OP_NODE_BIN, OP_GETH_BIN and CONDUCTOR_BIN name programs; what is not named is built.

exit codes    0    everything was measured and, where the table was printed, every goal holds
              1    a benchmark stopped or missed a threshold, a goal falls short or was not measured
              2    nothing was measured: the command line or a variable is wrong, or another benchmark runs
              130  interrupted`;
}
