/**
 * How set-up calls npm: the same npm, registry, proxy and cache as the user's, none of the settings
 * that an outer `npm start` made for its own run. Plain Node ≥ 20: this runs before anything is installed.
 */
import { basename } from 'node:path';
import { runProgram } from './setup-run.mjs';

/** npm waits minutes between its default retries; someone without a network should hear of it sooner. */
export const NPM_RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=4000'];

/** Settings a nested npm may inherit through the environment; others (prefix, omit, dry-run…) would misdirect it. */
const INHERITED_SETTING =
  /^npm_config_(registry|userconfig|globalconfig|cache|proxy|https?_proxy|noproxy|ca|cafile|strict_ssl|offline|prefer_offline|\/\/.*|@.*)$/i;

/** The npm that started us, or the one on PATH. */
export function npmCommand() {
  const outer = process.env['npm_execpath'];
  return outer !== undefined && basename(outer) === 'npm-cli.js' ? [process.execPath, outer] : ['npm'];
}

/** @returns {NodeJS.ProcessEnv} */
export function npmEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || INHERITED_SETTING.test(name));
  return Object.fromEntries(kept);
}

/**
 * The registry npm would use in `folder`, from whichever of its configuration files or variables;
 * null when npm does not say.
 *
 * @param {string} folder
 * @returns {Promise<string | null>}
 */
export async function findRegistry(folder) {
  const command = [...npmCommand(), 'config', 'get', 'registry', '--loglevel=silent'];
  const { code, output } = await runProgram('asking npm for its registry', command, {
    cwd: folder,
    env: npmEnvironment(),
  });
  return code === 0 && /^https?:\/\/\S+$/.test(output) ? output : null;
}
