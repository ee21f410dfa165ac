/** Each server in a row: role, sequencing, health, heads, version, and where this is known from. */
import type { ReactElement } from 'react';
import type { ClusterNow, ServerRow } from '../../conductor/console/protocol.ts';
import { Glyph, stateWords } from './Glyph.tsx';
import { grouped } from './words.ts';

const sources: Readonly<Record<ServerRow['source'], string>> = {
  stream: 'its events',
  polled: 'asked now and then',
  refused: 'asked: its events need a token',
};

export function ServerTable({ cluster }: { readonly cluster: ClusterNow }): ReactElement {
  return (
    <div className="table" tabIndex={0} role="region" aria-label="Servers">
      <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">State</th>
            <th scope="col" className="number">
              Term
            </th>
            <th scope="col" className="number">
              Head of op-node
            </th>
            <th scope="col" className="number">
              Head of its client
            </th>
            <th scope="col">Newest committed block</th>
            <th scope="col">Version</th>
            <th scope="col">Known from</th>
          </tr>
        </thead>
        <tbody>
          {cluster.servers.map(({ id, state, term, head, clientHead, word, version, source, why }) => (
            <tr key={id}>
              <th scope="row">
                <Glyph state={state} /> {id}
              </th>
              <td>{state.answers ? stateWords(state) : why === '' ? 'does not answer' : why}</td>
              <td className="number">{term ?? '–'}</td>
              <td className="number">{head === null ? '–' : grouped(head)}</td>
              <td className="number">{clientHead === null ? '–' : grouped(clientHead)}</td>
              <td>{word === '' ? '–' : word}</td>
              <td>{version ?? '–'}</td>
              <td>{sources[source]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
