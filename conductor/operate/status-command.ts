/** `conductor status`: the whole cluster at one look. */
import { clusterLines, troubles } from './cluster-summary.ts';
import { leaderOf } from './cluster-view.ts';
import { quorumOf } from './quorum.ts';
import { isChainStopped } from './sequencing-troubles.ts';
import { exitCodes } from './exit-codes.ts';
import type { OperatorCommand } from './operator-command.ts';
import { statusLines } from './status-table.ts';
import { viewDocument } from './view-document.ts';
import { span } from '#conductor/cli/terminal/text-line';

export const statusCommand: OperatorCommand = {
  name: 'status',
  description: 'show who leads, who sequences, and what is not as it should be',
  kind: 'look',
  details: `Asks all servers at once and prints one row for each, on a narrow terminal a few
lines, and a sentence for everything that needs attention. Exits with 1 when
nobody leads, too few voters answer to commit a block, or no op-node makes any.
With --rpc alone followers on one host do not tell which is whose: write id=URL.`,
  examples: ['conductor status', 'conductor status --rpc http://node-1:8547,http://node-2:8547 --json'],
  async run({ access, output, config }) {
    const view = await access.observe();
    output.json(viewDocument(view));
    const [standing, quorum] = clusterLines(view);
    const [first = '', ...others] = output.paragraph('', `${config.name}  ${standing}`);
    output.line([span(first.slice(0, config.name.length), 'strong'), span(first.slice(config.name.length))]);
    for (const line of others) output.line(line);
    for (const line of output.paragraph('', quorum)) output.line([span(line, 'faint')]);
    output.line();
    for (const line of statusLines(view, output.columns)) output.line(line);
    const sentences = troubles(view);
    if (sentences.length > 0) output.line();
    for (const sentence of sentences) output.labelled('!', sentence, 2);
    const canCommit = leaderOf(view) !== null && quorumOf(view).isReached;
    return canCommit && !isChainStopped(view) ? exitCodes.done : exitCodes.failed;
  },
};
