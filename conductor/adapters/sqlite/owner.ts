/**
 * Whose files a tool makes. A store belongs to the user its conductor runs as; a tool that root runs on it would leave files
 * that this user cannot open, and the conductor would not start again.
 */
import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Run by root, gives `paths` and all that is in them to the owner of `folder`; anybody else's files are their own already. Links
 * are given, not what they point at, and a folder after what is in it: its new owner may change it from then on.
 */
export function giveToOwnerOf(folder: string, paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  const give = (path: string): void => {
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
    lchownSync(path, uid, gid);
  };
  for (const path of paths) give(path);
}
