/**
 * Holds a resource against the kept schemas of the Kubernetes API, strictly: fields that the API does not know, which
 * a server would drop with a warning at best, are mistakes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from './render.ts';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

const kept = JSON.parse(readFileSync(join(import.meta.dirname, 'testdata/schemas.json'), 'utf8')) as {
  readonly kinds: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, Schema>>;
};
/** A number of the API, with a decimal or binary suffix or an exponent. */
const quantity = /^[+-]?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const quantitySchema = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/** What is wrong with a resource, as "path: sentence"; empty when the API would know all of it. */
export function shapeProblems(resource: Resource): string[] {
  const name = kept.kinds[`${resource.apiVersion} ${resource.kind}`];
  if (name === undefined) return [`${resource.apiVersion} ${resource.kind} is no kind that is kept here`];
  return problemsOf(kept.schemas[name]!, resource, '');
}

function problemsOf(schema: Schema, value: unknown, path: string): string[] {
  if (schema.$ref !== undefined) return referred(schema.$ref.split('/').at(-1)!, value, path);
  if (schema.allOf !== undefined) return schema.allOf.flatMap((part) => problemsOf(part, value, path));
  if (schema.oneOf !== undefined) {
    const fits = schema.oneOf.some((part) => problemsOf(part, value, path).length === 0);
    return fits ? [] : [`${path}: ${JSON.stringify(value)} is of none of the types it may be`];
  }
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${path}: ${JSON.stringify(value)} is none of ${schema.enum.join(', ')}`];
  if (schema.type !== undefined && !isOfType(schema.type, value))
    return [`${path}: ${JSON.stringify(value)} is no ${schema.type}`];
  if (Array.isArray(value))
    return value.flatMap((item, at) => (schema.items ? problemsOf(schema.items, item, `${path}/${at}`) : []));
  return typeof value === 'object' && value !== null ? fieldsOf(schema, value, path) : [];
}

function referred(name: string, value: unknown, path: string): string[] {
  if (name !== quantitySchema) return problemsOf(kept.schemas[name]!, value, path);
  return quantity.test(String(value)) ? [] : [`${path}: ${JSON.stringify(value)} is no quantity`];
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function fieldsOf(schema: Schema, value: object, path: string): string[] {
  const missing = (schema.required ?? []).filter((field) => !Object.hasOwn(value, field));
  const problems = missing.map((field) => `${path}: ${field} is missing`);
  for (const [field, inner] of Object.entries(value)) {
    const known = schema.properties?.[field] ?? schema.additionalProperties;
    if (known !== undefined) problems.push(...problemsOf(known, inner, `${path}/${field}`));
    else if (schema.properties !== undefined) problems.push(`${path}: ${field} is no field of it`);
  }
  return problems;
}
