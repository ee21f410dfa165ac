/** Whether pages are as long as their kind needs: content/data/page-lengths.yaml against what the build left. */
import { z } from 'zod';
import type { BuiltPage } from './built-pages.ts';

const words = z.int().nonnegative();

const schema = z.strictObject({
  kinds: z.record(z.string(), z.strictObject({ min: words, max: words })),
  exceptions: z.array(
    z.strictObject({
      /** A route, or with `/*` at its end all routes below it. */
      page: z.string().startsWith('/'),
      min: words.optional(),
      max: words.optional(),
      why: z.string().min(20),
    }),
  ),
});

/** Sentences: pages that are too short or too long, exceptions that none needs. Throws when `data` has another shape. */
export function lengthComplaints(pages: Iterable<BuiltPage>, data: unknown): string[] {
  const { kinds, exceptions } = schema.parse(data);
  const unused = new Set(exceptions);
  const complaints: string[] = [];
  for (const { route, kind, words: count } of pages) {
    const usual = kinds[kind];
    if (usual === undefined) continue;
    const exception = exceptions.find(({ page }) => matches(page, route));
    if (exception !== undefined && !isWithin(count, usual)) unused.delete(exception);
    const { min, max } = { ...usual, ...withoutUndefined(exception) };
    if (!isWithin(count, { min, max }))
      complaints.push(`${route} has ${count} words; a page of the kind ${kind} has ${min} to ${max}`);
  }
  const needless = Array.from(unused, ({ page }) => `${page} needs no exception: its length is usual`);
  return [...complaints, ...needless];
}

function matches(page: string, route: string): boolean {
  return page.endsWith('/*') ? route.startsWith(page.slice(0, -1)) : route === page;
}

function isWithin(count: number, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return count >= min && count <= max;
}

function withoutUndefined(bounds: { min?: number | undefined; max?: number | undefined } = {}): {
  min?: number;
  max?: number;
} {
  const { min, max } = bounds;
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}
