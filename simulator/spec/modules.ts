/**
 * TLA+ modules as tla-checker wants them: one text. It has no files to find what a module extends, and of several
 * declarations of variables it keeps the last alone; so modules are put one after the other, without their first and last
 * lines, and all their variables into one declaration. Definitions, constants and comments stay as they are.
 */

const DECLARATION = /^VARIABLES? +([\w ,]+)$/gm;
const EXTENDS = /^EXTENDS +([\w ,]+)$/m;

/** The modules as one of that name; each may extend those before it. Throws where a text is no module. */
export function joinModules(name: string, modules: readonly string[]): string {
  const variables: string[] = [];
  const extended = new Set<string>();
  const own = new Set<string>();
  const bodies = modules.map((text) => {
    const [, first, body] = /^-{4,} *MODULE +(\w+) *-{4,}\n([\s\S]*?)\n={4,}\s*$/.exec(text) ?? [];
    if (first === undefined || body === undefined)
      throw new Error('a TLA+ module begins with its name and ends with ====');
    if (/^VARIABLES? .*,\s*$/m.test(body)) throw new Error(`${first} declares its variables over several lines`);
    own.add(first);
    for (const one of listOf(EXTENDS.exec(body)?.[1])) extended.add(one);
    for (const [, names] of body.matchAll(DECLARATION)) variables.push(...listOf(names));
    return body.replace(EXTENDS, '').replaceAll(DECLARATION, '');
  });
  const library = [...extended].filter((one) => !own.has(one));
  return [
    `---- MODULE ${name} ----`,
    ...(library.length === 0 ? [] : [`EXTENDS ${library.join(', ')}`]),
    ...(variables.length === 0 ? [] : [`VARIABLES ${variables.join(', ')}`]),
    ...bodies,
    '====',
    '',
  ].join('\n');
}

function listOf(names: string | undefined): string[] {
  return (names ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
