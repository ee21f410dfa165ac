/** Every schema is there once, with an identifier of the right length and only whole addresses. */
import { expect, test } from 'vitest';
import { attestationSchemas } from './attestation-schemas.ts';

const text = attestationSchemas({});

test('each schema has one heading, one identifier to copy and a link by it', () => {
  const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  const identifiers = [...text.matchAll(/^```text\n(0x[0-9a-f]{64})\n```$/gm)].map(([, uid]) => uid ?? '');
  expect(headings.length).toBeGreaterThan(20);
  expect(new Set(headings).size).toBe(headings.length);
  expect(identifiers).toHaveLength(headings.length);
  expect(new Set(identifiers).size).toBe(identifiers.length);
  for (const uid of identifiers)
    expect(text).toContain(`[On EAS Scan](https://optimism.easscan.org/schema/view/${uid})`);
});

test('issuers are whole addresses, and a schema that names none has no such sentence', () => {
  for (const [, issuers = ''] of text.matchAll(/^Issued by: (.*?)\. (?:Recipient|\[)/gm)) {
    for (const [code] of issuers.matchAll(/`[^`]*`/g)) expect(code).toMatch(/^`0x[0-9a-fA-F]{40}`$/);
  }
  const passport = text.slice(text.indexOf('### Gitcoin'), text.indexOf('### Superchain Faucet'));
  expect(passport).not.toContain('Issued by');
});

test('the fields of a schema are in its table', () => {
  const citizens = text.slice(text.indexOf('### Citizens'), text.indexOf('### Retro Funding voters'));
  expect(citizens).toContain('| `SelectionMethod` |');
});
