/** The certificates of mutual TLS: whether they can be used, name this server, and last. */
import { readOwnCertificate } from '#conductor/adapters/tcp/tls';
import { usableTlsMaterial } from '#conductor/adapters/tcp/tls-check';
import { messageOf } from '#conductor/core/errors';
import { findingsOf, flagLink, sectionLink, type Finding } from './finding.ts';
import type { Subject } from './subject.ts';

const { good, warning, bad } = findingsOf('tls');
const dayMs = 24 * 60 * 60 * 1000;
/** Renewal should have happened before. */
const validDaysMin = 14;

export function checkTls({ config }: Subject, nowMs: number): Finding[] {
  const { tls = null, serverId = '' } = config ?? {};
  if (tls === null) return [];
  const link = sectionLink('tls');
  try {
    usableTlsMaterial(tls);
    const { names, validToMs } = readOwnCertificate(tls);
    const findings: Finding[] = [];
    if (!names.includes(serverId))
      findings.push(
        bad(
          `the certificate names ${names.join(', ') || 'nobody'}, and this server is ${serverId}: the others will refuse it`,
          `Issue one with the DNS name ${serverId}.`,
          flagLink('consensus.tls.cert'),
        ),
      );
    const days = Math.floor((validToMs - nowMs) / dayMs);
    if (validToMs <= nowMs)
      findings.push(
        bad(`the certificate ended on ${dateOf(validToMs)}`, 'Renew it; it is read again without a restart.', link),
      );
    else if (days < validDaysMin)
      findings.push(
        warning(
          `the certificate ends on ${dateOf(validToMs)}, in ${days} days`,
          'Renew it; it is read again without a restart.',
          link,
        ),
      );
    if (findings.length === 0)
      findings.push(good(`the certificate names ${serverId} and is valid until ${dateOf(validToMs)}`));
    return findings;
  } catch (error) {
    return [bad(messageOf(error), 'The conductor would not start.', link)];
  }
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
