/** Each server in a row: role, sequencing, health, heads, version, and where this is known from. */
import type { ReactElement } from 'react';
import type { ClusterNow, ServerRow } from '../../conductor/console/protocol.ts';
import { Glyph, stateWords } from './Glyph.tsx';
import { day, grouped } from './words.ts';

const sources: Readonly<Record<ServerRow['source'], string>> = {
  stream: 'its events',
  polled: 'asked now and then',
  refused: 'asked: its events need a token',
};

export function ServerTable({ cluster }: { readonly cluster: ClusterNow }): ReactElement {
  const hasZones = cluster.servers.some(({ zone }) => zone !== '');
  const hasCertificates = cluster.servers.some(({ certificateEndMs }) => certificateEndMs !== null);
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
            {hasZones && <th scope="col">Zone</th>}
            {hasCertificates && <th scope="col">Certificate until</th>}
            <th scope="col">Known from</th>
          </tr>
        </thead>
        <tbody>
          {cluster.servers.map(
            ({ id, state, term, head, clientHead, word, version, zone, certificateEndMs, source, why }) => (
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
                {hasZones && <td>{zone === '' ? '–' : zone}</td>}
                {hasCertificates && <td>{certificateEndMs === null ? '–' : day(certificateEndMs)}</td>}
                <td>{sources[source]}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
