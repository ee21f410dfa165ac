import { flagTable } from '#conductor/cli/flags';
import { methodTable } from '#conductor/core/rpc/methods';
import { describe, expect, it } from 'vitest';
import { cardOf, writeCards } from './link-cards.ts';
import type { Node } from './nodes.ts';

describe('the card of a link', () => {
  it('says of a term, a flag or a method what its table says, in a few lines', () => {
    expect(cardOf('/connect/resources/glossary#sequencer')).toMatch(/^Sequencer: .*\.$/);
    expect(cardOf('/connect/resources/glossary#sequencer')).not.toMatch(/[[\]`]/);
    expect(cardOf('/conductor/flags#--rpcenable-admin')).toMatch(/^--rpc\.enable-admin: .+ Default: false\.$/);
    expect(cardOf('/conductor/rpc#conductor_transferleadertoserver')).toMatch(
      /^conductor_transferLeaderToServer\(id, addr/,
    );
  });

  it('is there for every flag and every method, and for nothing else', () => {
    const texts = [
      ...flagTable.map(({ name }) => cardOf(`/conductor/flags#--${name.replaceAll('.', '')}`)),
      ...methodTable.map(({ name }) => cardOf(`/conductor/rpc#${name.toLowerCase().replaceAll('.', '')}`)),
    ];
    expect(texts).not.toContain(null);
    expect(Math.max(...texts.map((text) => text?.length ?? 0))).toBeLessThan(300);
    expect(cardOf('/conductor/rpc')).toBeNull();
    expect(cardOf('https://example.com/#sequencer')).toBeNull();
  });

  it('travels with the link', () => {
    const link: Node = { type: 'link', url: '/connect/resources/glossary#block', children: [] };
    const other: Node = { type: 'link', url: '/chain/networks', children: [] };
    writeCards({ type: 'root', children: [link, other] });
    expect(link.data?.hProperties?.['data-card']).toMatch(/^Block: /);
    expect(other.data).toBeUndefined();
  });
});
