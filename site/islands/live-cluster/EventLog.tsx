/** What there is to read of a run: the cluster as a table, and everything that was said. */
import { nodeWords } from './node-words.ts';
import type { Frame, NodeFrame, Sentence } from './protocol.ts';
import styles from './EventLog.module.css';

export interface EventLogProps {
  readonly frame: Frame;
  readonly sentences: readonly Sentence[];
}

export function EventLog({ frame, sentences }: EventLogProps) {
  return (
    <div className={styles.frame}>
      <details>
        <summary>The cluster as a table</summary>
        <NodeTable nodes={frame.nodes} />
      </details>
      <details>
        <summary>Everything that happened</summary>
        <div className={styles.log} tabIndex={0} role="region" aria-label="Everything that happened, latest first">
          <ol>
            {sentences.toReversed().map(({ id, atMs, text, isLoud }) => (
              <li key={id} className={isLoud ? styles.loud : undefined}>
                <span className={styles.at}>{(atMs / 1000).toFixed(3)} s</span> {text}
              </li>
            ))}
          </ol>
        </div>
      </details>
    </div>
  );
}

function NodeTable({ nodes }: { readonly nodes: readonly NodeFrame[] }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="The cluster as a table">
      <table>
        <thead>
          <tr>
            {['Server', 'Role', 'Term', 'Sequencer', 'Head', 'Log', 'Committed', 'Health', 'Done to it'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.name}>
              <th scope="row">{node.name}</th>
              <td>{node.presence === 'up' ? node.role : node.presence}</td>
              <td>{node.term}</td>
              <td>{node.sequencer}</td>
              <td>{node.head}</td>
              <td>{node.lastIndex}</td>
              <td>{node.commitIndex}</td>
              <td>{node.presence !== 'up' ? 'unknown' : node.isHealthy ? 'healthy' : 'unhealthy'}</td>
              <td>{nodeWords(node).troubles.join(', ') || 'nothing'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
