/** What the marks mean, and the keys. */
import { MessageShape } from './ClusterView.tsx';
import { clusterVerbs, verbKeys, verbs } from './verbs.ts';
import stage from './ClusterView.module.css';
import styles from './Legend.module.css';

const messages = [
  ['append', 'entries for the log'],
  ['heartbeat', 'a heartbeat'],
  ['vote', 'a vote, asked for or given'],
  ['handover', 'leadership handed over'],
] as const;

export function Legend() {
  return (
    <details className={styles.legend}>
      <summary>Marks and keys</summary>
      <ul className={styles.marks}>
        {messages.map(([kind, words]) => (
          <li key={kind}>
            <svg width="28" height="14" viewBox="-24 -7 28 14" aria-hidden="true">
              <g className={stage[kind]}>
                <MessageShape kind={kind} />
              </g>
            </svg>
            {words}
          </li>
        ))}
      </ul>
      <p>
        Each staff is the log of one server, each measure an entry. A filled note is committed as far as that server
        knows, a hollow one not yet; a cross is an entry without a block, a diamond a change of members; a double bar
        begins a term. The last staff is the chain as the world sees it: the height of a note says who built the block,
        and a bracket measures each silence longer than a second and a half.
      </p>
      <p>
        <kbd>P</kbd> plays and pauses, <kbd>N</kbd> goes to the next event, <kbd>.</kbd> goes on 100 ms, <kbd>1</kbd>{' '}
        <kbd>2</kbd> <kbd>3</kbd> choose a server.{' '}
        {Object.entries(verbKeys).map(([key, verb], at) => (
          <span key={key}>
            {at > 0 && ', '}
            <kbd>{key.toUpperCase()}</kbd> {verbs[verb].label.toLowerCase()}
          </span>
        ))}
        {Object.values(clusterVerbs).map(({ key, label }) => (
          <span key={key}>
            , <kbd>{key.toUpperCase()}</kbd> {label.toLowerCase()}
          </span>
        ))}
        .
      </p>
      <p>
        The trace is a hash of everything that has happened. The address of a paused moment names its run, the
        milliseconds since the last act, and the trace; <code>npm run sim -- replay &apos;RUN&apos; --after MS</code> in
        the repository comes to the same one.
      </p>
    </details>
  );
}
