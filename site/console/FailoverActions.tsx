/** What can be taken away of a failover: its data, its picture, and a text for the incident report. */
import { useState, type ReactElement } from 'react';
import type { Failover } from '../../conductor/console/protocol.ts';
import { failoverPicture } from './failover-picture.ts';
import { changeWords, gapWords, missedWords } from './failover-words.ts';
import { duration } from './words.ts';

export function FailoverActions({
  failover,
  cluster,
}: {
  readonly failover: Failover;
  readonly cluster: string;
}): ReactElement {
  const [isCopied, setCopied] = useState(false);
  const name = `${cluster}-${failover.id}`.replaceAll(/[^\w.-]/g, '_');
  return (
    <p className="actions">
      <button
        type="button"
        className="word"
        onClick={() => {
          void navigator.clipboard.writeText(reportText(failover, cluster)).then(() => setCopied(true));
        }}
      >
        {isCopied ? 'Copied' : 'Copy for the report'}
      </button>{' '}
      <button
        type="button"
        className="word"
        onClick={() => save(`${name}.json`, 'application/json', JSON.stringify(failover, null, 2))}
      >
        Save data
      </button>{' '}
      <button
        type="button"
        className="word"
        onClick={() => save(`${name}.svg`, 'image/svg+xml', failoverPicture(failover, cluster))}
      >
        Save picture
      </button>
    </p>
  );
}

/** A few plain sentences and the phases in a list, times in UTC. */
export function reportText(failover: Failover, cluster: string): string {
  const { from, to, phases, term, told } = failover;
  const at = (ms: number): string => new Date(ms).toISOString();
  return [
    `${cluster}: ${from} to ${to}${term === null ? '' : ` (term ${term})`}. ${changeWords(failover)}.`,
    `${gapWords(failover)} ${missedWords(failover)}`.trim(),
    '',
    ...phases.map(({ label, fromMs, toMs, note }) => `${at(toMs)}  ${label}: ${duration(toMs - fromMs)} (${note})`),
    ...(told.length === 0
      ? []
      : ['', 'Told meanwhile:', ...told.map((one) => `${at(one.atMs)}  ${one.server}: ${one.text}`)]),
    '',
  ].join('\n');
}

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
