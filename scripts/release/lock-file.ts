/** Reads bun.lock: which packages the ones we depend on bring along, in which versions, with the checksums npm gave. */

/** One package as it is installed. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Folder below node_modules. */
  readonly folder: string;
  /** sha-512 of the package's archive, in hex. */
  readonly sha512: string;
  /** Folders of the packages that it imports. */
  readonly dependsOn: readonly string[];
}

export interface BilledPackages {
  /** Folders of what is depended on by no other of them, or what package.json lists under `dependencies`. */
  readonly direct: readonly string[];
  /** Sorted by folder. */
  readonly all: readonly LockedPackage[];
}

type LockEntry = readonly [string, string, { readonly dependencies?: Readonly<Record<string, string>> }, string];

interface LockFile {
  readonly workspaces: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>;
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** What the dependencies for run time are, down to the last. Throws when the file lacks one of them or its checksum. */
export function runtimePackages(lockText: string): BilledPackages {
  const lock = Bun.JSONC.parse(lockText) as LockFile;
  const direct = Object.keys(lock.workspaces['']?.dependencies ?? {});
  const found = new Map<string, LockedPackage>();
  const waiting = [...direct];
  for (const folder of waiting) {
    if (found.has(folder)) continue;
    const locked = packageAt(lock, folder);
    found.set(folder, locked);
    waiting.push(...locked.dependsOn);
  }
  const all = [...found.values()].sort((one, other) => (one.folder < other.folder ? -1 : 1));
  return { direct, all };
}

/** Just these packages, by their folders below node_modules. Throws when the file lacks one of them or its checksum. */
export function packagesIn(lockText: string, folders: readonly string[]): BilledPackages {
  const lock = Bun.JSONC.parse(lockText) as LockFile;
  const all = folders.toSorted().map((folder) => {
    const locked = packageAt(lock, folder);
    return { ...locked, dependsOn: locked.dependsOn.filter((one) => folders.includes(one)) };
  });
  const brought = new Set(all.flatMap(({ dependsOn }) => dependsOn));
  return { direct: all.map(({ folder }) => folder).filter((folder) => !brought.has(folder)), all };
}

/** The hex of an integrity as npm writes it, `sha512-` and base64. Throws for any other. */
export function hexOf(integrity: string, what: string): string {
  if (!integrity.startsWith('sha512-')) throw new Error(`${what} has no sha-512 in its lock: found ${integrity}`);
  return Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
}

function packageAt(lock: LockFile, folder: string): LockedPackage {
  const [identity, , { dependencies = {} }, integrity] = entryOf(lock, folder);
  const at = identity.lastIndexOf('@');
  const dependsOn = Object.keys(dependencies).map((name) => resolve(lock, folder, name));
  const sha512 = hexOf(integrity, identity);
  return { name: identity.slice(0, at), version: identity.slice(at + 1), folder, sha512, dependsOn };
}

/** Where `from` finds a package: below itself, or below one of the folders it lies in. */
function resolve(lock: LockFile, from: string, name: string): string {
  for (let folder = from; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const nested = `${folder}/${name}`;
    if (nested in lock.packages) return nested;
  }
  return name;
}

function entryOf(lock: LockFile, folder: string): LockEntry {
  const entry = lock.packages[folder];
  if (entry === undefined) throw new Error(`bun.lock has no package ${folder}: run npm run setup, which restores it`);
  return entry;
}
