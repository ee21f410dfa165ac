/** Deliberate differences from op-conductor of health checks; behaviour-differences.ts says what a row is. */
import type { Difference } from '../difference.ts';

export const healthDifferences: readonly Difference[] = [
  {
    opConductor:
      'accepts the fields of an answer in upper or lower case (Connected), and a time of 2^64 − 1 seconds as the future',
    ours: 'accepts only the case that op-node uses, and treats times of 2^64 − 1024 seconds and more as missing',
    why: 'No op-node answers like this, so such an answer should not count.',
    shownBy: 'fields count under the names that op-node writes, and times while they are ones',
  },
  {
    opConductor: 'when execution peers cannot be counted the text of the failure becomes a label of healthchecks_count',
    ours: 'the label is "cannot connect to sequencer rpc endpoints"; the text is in the log',
    why: 'An unlimited number of labels fills the memory of Prometheus.',
    shownBy: 'unreachable execution peers do not say that the node is gone',
  },
  {
    opConductor:
      'the execution client is asked only for its peers, if at all; only the age of the head shows that it is down',
    ours: 'every check asks it for its height; if it refuses or does not answer, the cause is "execution-down"',
    why: 'A sequencer cannot build without it, and the age of the head shows this only after the unsafe interval.',
    shownBy: 'a refusal is a verdict at once, whoever else has not answered',
  },
  {
    opConductor:
      'an op-node whose derivation is being reset tells of no unsafe head, which counts as one of 1970: the leader hands over',
    ours: 'the head that it told of last holds, and grows old',
    why: 'Every L1 reorganisation that takes an origin resets all nodes, and costs nothing where the leader goes on.',
    shownBy:
      'while the node tells of no head, because it is being reset, the last one that it told of holds and grows old',
  },
  {
    opConductor: 'a health check waits 10 s for each answer',
    ours: 'it waits one interval, and at least 1 s; where the next block of its own sequencer is overdue, one interval from the last answer, and at least 300 ms',
    why: 'A node that is silent for so long misses blocks.',
    shownBy: 'a health check waits for an answer as long as its interval, and at least a second',
  },
  {
    opConductor: 'while rollup-boost does not answer nothing is checked',
    ours: 'the node is checked as usual',
    why: 'A sequencer that stalls meanwhile must not go unnoticed.',
    shownBy: 'while rollup-boost hangs it is not asked again, and the node is judged as ever',
  },
];
