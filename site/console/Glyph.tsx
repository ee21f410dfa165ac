/** A server as a note: filled when it sequences, in the accent when it leads, hollow when it follows, a cross when it is gone. */
import type { ReactElement } from 'react';
import type { ServerState } from '../../conductor/console/protocol.ts';
import styles from './Glyph.module.css';

export function Glyph({ state }: { readonly state: ServerState }): ReactElement {
  const { answers, role, isSequencing, isHealthy } = state;
  const shown = !answers ? 'down' : role === 'leader' ? 'leader' : role === 'candidate' ? 'candidate' : 'follower';
  return (
    <svg className={styles.glyph} viewBox="0 0 18 18" width="18" height="18" aria-hidden="true" data-shown={shown}>
      {shown === 'down' ? (
        <path d="M5 5l8 8m0-8l-8 8" />
      ) : (
        <>
          <ellipse cx="9" cy="10" rx="5.4" ry="3.9" transform="rotate(-22 9 10)" data-filled={isSequencing === true} />
          {isHealthy === false && <path className={styles.ill} d="M2.5 16.5L15.5 2" />}
        </>
      )}
    </svg>
  );
}

/** The same in words. */
export function stateWords({ answers, role, isSequencing, isHealthy, isPaused }: ServerState): string {
  if (!answers) return 'does not answer';
  return [
    role ?? 'role not known',
    ...(isSequencing === true ? ['sequences'] : []),
    ...(isHealthy === false ? ['unhealthy'] : []),
    ...(isPaused === true ? ['paused'] : []),
  ].join(', ');
}
