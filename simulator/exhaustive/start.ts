/** The entries that the logs of a search begin with: a configuration of three voters, and one entry of a leader per later term. */
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import { ZERO_GO_TIME } from '#conductor/core/wire/go-time';
import { EntryType, Suffrage, type Entry } from '#conductor/core/raft/types';
import { addressOf, idOf } from './message.ts';

/** The same bytes for each server, though the names in them mean others to each: all three are members, and voters. */
const configuration = encodeConfiguration({
  servers: [0, 1, 2].map((peer) => ({ id: idOf(peer), address: addressOf(peer), suffrage: Suffrage.voter })),
});

export function firstEntry(index: number, term: number): Entry {
  const isConfiguration = index === 1;
  return {
    index,
    term,
    type: isConfiguration ? EntryType.configuration : EntryType.noop,
    data: isConfiguration ? configuration : null,
    extensions: null,
    appendedAt: ZERO_GO_TIME,
  };
}
