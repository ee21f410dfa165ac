/** The fields of a method's result as a table, from the schema that rpc.discover serves. */
import type { MethodDefinition } from '#conductor/core/rpc/method';
import { methodTable } from '#conductor/core/rpc/methods';
import { openRpcDocument } from '#conductor/core/rpc/openrpc';
import { code, table } from './mdx-text.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
}

/** MDX; empty for results that are one value or have no fields of their own. */
export function resultFields({ name }: MethodDefinition): string {
  const schema = structOf(schemas().get(name));
  const fields = Object.entries(schema?.properties ?? {});
  if (fields.length === 0) return '';
  const rows = fields.map(([field, of]) => [
    code(field),
    typeOf(of),
    schema?.required?.includes(field) === true ? 'always' : 'where known',
  ]);
  return table(['Field', 'Type', 'There'], rows);
}

let known: ReadonlyMap<string, Schema> | null = null;

function schemas(): ReadonlyMap<string, Schema> {
  known ??= new Map(
    (
      openRpcDocument({ isAdminEnabled: true, isProxyEnabled: true, version: '', methods: methodTable })[
        'methods'
      ] as Described[]
    ).map(({ name, result }) => [name, result.schema]),
  );
  return known;
}

interface Described {
  readonly name: (typeof methodTable)[number]['name'];
  readonly result: { readonly schema: Schema };
}

/** Of what may also be null, the part that is not. */
function structOf(schema: Schema | undefined): Schema | undefined {
  return schema?.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(' or ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.properties !== undefined) return `object: ${Object.keys(schema.properties).map(code).join(', ')}`;
  const bytes = /^\^0x\[0-9a-f\]\{(\d+)\}\$$/.exec(schema.pattern ?? '')?.[1];
  if (bytes !== undefined) return `${Number(bytes) / 2} bytes in hex`;
  return [schema.type ?? 'anything'].flat().join(' or ');
}
