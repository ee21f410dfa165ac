/** Deliberate differences from op-conductor of health checks; behaviour-differences.ts says what a row is. */
import type { Difference } from './difference.ts';

export const healthDifferences: readonly Difference[] = [
  {
    opConductor: 'reads the fields of an answer in any case (Connected), and a time of 2^64 − 1 seconds is the future',
    ours: 'reads them as op-node writes them, and takes times of 2^64 − 1024 seconds and more for none',
    why: 'No op-node answers so; what does is not one whose word should count.',
    shownBy: 'fields count under the names that op-node writes, and times while they are ones',
  },
  {
    opConductor: 'when execution peers cannot be counted the text of the failure becomes a label of healthchecks_count',
    ours: 'the label is "cannot connect to sequencer rpc endpoints"; the text is in the log',
    why: 'Labels without bound fill the memory of Prometheus.',
    shownBy: 'unreachable execution peers do not say that the node is gone',
  },
  {
    opConductor: 'the execution client is asked for its peers at most: one that is gone shows by the age of the head',
    ours: 'every check asks it for its height; one that refuses or is silent is the cause "execution-down"',
    why: 'A sequencer cannot build without it, and the age of the head takes the unsafe interval to show that.',
    shownBy: 'a refusal is a verdict at once, whoever else has not answered',
  },
  {
    opConductor: 'while rollup-boost does not answer nothing is checked',
    ours: 'the node is checked as ever',
    why: 'A sequencer that stalls meanwhile must not go unnoticed.',
    shownBy: 'while rollup-boost hangs it is not asked again, and the node is judged as ever',
  },
];
