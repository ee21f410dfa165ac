/** The attestation schemas of the Optimism Collective: identifier to copy, issuer, recipient and fields of each. */
import { readContentData, sourceNote, type Dated } from './content-data.ts';
import type { Generator } from './generator.ts';
import { code, fence, prose, table } from './mdx-text.ts';

interface Schema {
  readonly name: string;
  readonly uid: string;
  readonly purpose: string;
  /** Whose attestations count; absent where the source names nobody. */
  readonly issuer?: { readonly who: string; readonly addresses: readonly string[] };
  readonly recipient?: string;
  readonly fields: readonly { readonly name: string; readonly holds: string }[];
}

interface Schemas extends Dated {
  readonly groups: readonly { readonly title: string; readonly schemas: readonly Schema[] }[];
}

/** Where schemas can be looked at with all their attestations. */
const EXPLORER = 'https://optimism.easscan.org/schema/view';

export const attestationSchemas: Generator = () => {
  const data = readContentData<Schemas>('attestation-schemas.json');
  const groups = data.groups.map(({ title, schemas }) => [`## ${title}`, ...schemas.map(schemaText)].join('\n\n'));
  return [...groups, sourceNote(data)].join('\n\n');
};

function schemaText({ name, uid, purpose, issuer, recipient, fields }: Schema): string {
  const facts = [
    ...(issuer === undefined ? [] : [`Issued by: ${[prose(issuer.who), ...issuer.addresses.map(code)].join(', ')}.`]),
    ...(recipient === undefined ? [] : [`Recipient: ${prose(recipient)}.`]),
    `[On EAS Scan](${EXPLORER}/${uid}).`,
  ];
  const rows = fields.map((field) => [code(field.name), field.holds]);
  return [
    `### ${name}`,
    purpose,
    fence('text', uid),
    facts.join(' '),
    ...(rows.length === 0 ? [] : [table(['Field', 'What it holds'], rows)]),
  ].join('\n\n');
}
