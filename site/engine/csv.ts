/** Reads CSV as RFC 4180 has it: quoted fields may hold commas, quotes and line breaks. */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  const [head = [], ...records] = rows.filter((row) => row.some((field) => field !== ''));
  return records.map((record) => Object.fromEntries(head.map((name, index) => [name, record[index] ?? ''])));
}
