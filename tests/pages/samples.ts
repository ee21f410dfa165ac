/**
 * The TypeScript of pages, type-checked as a reader's project would: every `ts` block that imports viem becomes
 * a file in which it stands on the lines it has on the page, so that the compiler's messages point into the page.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fencesOf } from './fences.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const IMPORTS_VIEM = /^\s*(?:import|\} from)\b.*['"]viem(?:\/[\w/-]+)?['"]/m;
/** What `tsc --init` gives a new project, and Node's globals. */
const READERS_SETTINGS = {
  extends: join(ROOT, 'tsconfig.base.json'),
  compilerOptions: { lib: ['ES2024', 'DOM'], types: ['bun'], noUnusedLocals: true, moduleDetection: 'force' },
};

/** A block as a file: `path` is the page's route and the name within it, `text` is padded to the page's lines. */
export interface Sample {
  readonly path: string;
  readonly text: string;
  readonly checked: boolean;
}

/** The TypeScript blocks below a folder of pages. Titled ones keep their name, so that others can import them. */
export function samplesOf(folder: string): Sample[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mdx'));
  return pages.toSorted().flatMap((page) => {
    const taken = new Set<string>();
    return fencesOf(readFileSync(join(folder, page), 'utf8')).flatMap(({ lang, meta, text, line }) => {
      if (lang !== 'ts') return [];
      const titled = meta.title !== null && /^[\w-]+\.ts$/.test(meta.title) && !taken.has(meta.title);
      const name = titled ? (meta.title as string) : `line-${line}.ts`;
      taken.add(name);
      return [{ path: `${page}/${name}`, text: '\n'.repeat(line) + text, checked: IMPORTS_VIEM.test(text) }];
    });
  });
}

/** What the compiler says about them, one message a line, with page and line; '' when it is content. */
export async function typeErrors(samples: readonly Sample[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'page-samples-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const { path, text } of samples) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const files = samples.filter(({ checked }) => checked).map(({ path }) => path);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...READERS_SETTINGS, files }));
    const compiler = Bun.spawn([process.execPath, COMPILER, '--noEmit', '--pretty', 'false'], {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [said, complained, code] = await Promise.all([
      new Response(compiler.stdout).text(),
      new Response(compiler.stderr).text(),
      compiler.exited,
    ]);
    return code === 0 ? '' : `${said}${complained}`.trim() || `the compiler ended with ${code}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
