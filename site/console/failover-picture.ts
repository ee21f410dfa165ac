/** A failover as a picture that stands alone: for reports, with its own colours and the system's faces. */
import type { Failover } from '../../conductor/console/protocol.ts';
import { duration } from './words.ts';

const WIDTH = 960;
const LEFT = 210;
const RIGHT = 640;
const ROW = 34;
const TOP = 92;

export function failoverPicture({ from, to, phases, gapMs, lastBlock, firstBlock }: Failover, cluster: string): string {
  const first = phases[0]?.fromMs ?? 0;
  const whole = Math.max(1, (phases.at(-1)?.toMs ?? 0) - first);
  const xOf = (ms: number): number => LEFT + 90 + ((ms - first) / whole) * (RIGHT - LEFT - 90);
  const rows = phases.map(({ label, fromMs, toMs, note }, at) => {
    const y = TOP + at * ROW;
    const width = Math.max(1.5, xOf(toMs) - xOf(fromMs));
    return (
      `<path d="M24 ${y + ROW - 8}H${WIDTH - 24}" stroke="#ddd6cc"/>` +
      `<text x="24" y="${y + 15}">${escaped(label)}</text>` +
      `<text x="${LEFT + 74}" y="${y + 15}" text-anchor="end" font-weight="600">${escaped(duration(toMs - fromMs))}</text>` +
      `<rect x="${xOf(fromMs).toFixed(1)}" y="${y + 3}" width="${width.toFixed(1)}" height="14" fill="${at === phases.length - 1 ? '#e0361c' : '#231d18'}"/>` +
      `<text x="${RIGHT + 16}" y="${y + 15}" fill="#5a524a">${escaped(note.slice(0, 48))}</text>`
    );
  });
  const height = TOP + phases.length * ROW + 40;
  const gap = gapMs === null ? 'no block yet' : duration(gapMs);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="Georgia, serif" font-size="15" fill="#231d18">` +
    `<rect width="100%" height="100%" fill="#fbf9f5"/>` +
    `<text x="24" y="44" font-size="26">${escaped(`${cluster}: ${from ?? 'nobody'} to ${to}`)}</text>` +
    `<text x="24" y="70" fill="#5a524a">${escaped(`${gap} from block ${lastBlock} to block ${firstBlock ?? '…'}; ${new Date(first).toISOString()}`)}</text>` +
    `${rows.join('')}</svg>`
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
