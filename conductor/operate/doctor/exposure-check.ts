/** What is open to the network, in the words of the warnings at start. */
import type { Logger } from '#conductor/core/ports';
import { pageAccess, warnOfExposure } from '#conductor/host/settings/exposure';
import { findingsOf, sectionLink, type Finding } from './finding.ts';
import type { Subject } from './subject.ts';

const { good, warning } = findingsOf('exposure');

export function checkExposure({ config }: Subject): Finding[] {
  const { rpc, isAdminEnabled, auth, consensus, tls } = config ?? {};
  const isKnown = rpc !== undefined && isAdminEnabled !== undefined && consensus !== undefined;
  if (!isKnown || auth === undefined || tls === undefined) return [];
  const findings: Finding[] = [];
  const logger: Logger = {
    log: (_, message, fields = {}) => {
      const [problem = message, advice = ''] = message.split('; ', 2);
      const address = typeof fields['addr'] === 'string' ? ` (${fields['addr']})` : '';
      findings.push(
        warning(`${problem}${address}`, sentence(advice), sectionLink(/raft port/.test(problem) ? 'tls' : 'admin')),
      );
    },
  };
  warnOfExposure({ rpc, isAdminEnabled, auth, consensus, tls }, logger);
  if (findings.length === 0) findings.push(good('nothing is open to others that needs a credential'));
  const pages = pageAccess({ rpc, isAdminEnabled, auth });
  if (pages !== null) findings.push(good(pages, '', sectionLink('admin')));
  return findings;
}

function sentence(text: string): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
