/**
 * Chromium on disk: the files of @sparticuz/chromium, decompressed once into node_modules/.cache. The package would
 * put them into the machine's /tmp by fixed names, and the libraries it needs only on Lambda, so that we unpack
 * ourselves: into a folder of this process, which then gets its final name in one step. Whoever loses the race uses
 * the winner's folder.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { isAlive } from '#conductor/adapters/process/process-identity';

export interface ChromiumFiles {
  readonly executable: string;
  /** NSS and its neighbours, for systems without them. */
  readonly libraries: string;
  /** Names the fonts that came along, and no others: pages look the same on every machine. */
  readonly fontsConfiguration: string;
}

const nodeModules = join(import.meta.dirname, '..', '..', 'node_modules');
const packageFolder = join(nodeModules, '@sparticuz', 'chromium');
const cache = join(nodeModules, '.cache');
/** Raised when what is unpacked changes, without a new version of the package. */
const LAYOUT = 1;
const UNPACKING_PREFIX = 'chromium-unpacking-';
const ARCHIVES = ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];
const FONTS_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

const decompress = promisify(brotliDecompress);

/** Unpacks when that was not done yet: about 3 s and 210 MB. */
export async function chromiumFiles(): Promise<ChromiumFiles> {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const folder = join(cache, `chromium-${version}-${LAYOUT}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    executable: join(folder, 'chromium'),
    libraries: join(folder, 'lib'),
    fontsConfiguration: join(folder, 'fonts.conf'),
  };
}

async function unpackInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  removeLeftovers();
  const unpacking = mkdtempSync(join(cache, `${UNPACKING_PREFIX}${process.pid}-`));
  try {
    for (const archive of ARCHIVES) await new Bun.Archive(await decompressed(archive)).extract(unpacking);
    writeFileSync(join(unpacking, 'fonts.conf'), FONTS_CONFIGURATION);
    writeFileSync(join(unpacking, 'chromium'), await decompressed('chromium.br'), { mode: 0o755 });
    // For whoever may read the rest of node_modules, too.
    chmodSync(unpacking, 0o755);
    renameSync(unpacking, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unpacking, { recursive: true, force: true });
  }
}

async function decompressed(name: string): Promise<Buffer> {
  return decompress(readFileSync(join(packageFolder, 'bin', name)));
}

/** What processes that were killed while unpacking left behind. */
function removeLeftovers(): void {
  for (const name of readdirSync(cache)) {
    if (!name.startsWith(UNPACKING_PREFIX)) continue;
    const pid = Number.parseInt(name.slice(UNPACKING_PREFIX.length), 10);
    if (!isAlive(pid)) rmSync(join(cache, name), { recursive: true, force: true });
  }
}
