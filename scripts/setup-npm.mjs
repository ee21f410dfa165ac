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

/** npm's settings that Bun should share, and the variable that tells Bun. npm also reads them from files Bun does not know. */
const SHARED_SETTINGS = [
  ['registry', 'BUN_CONFIG_REGISTRY'],
  ['cafile', 'NODE_EXTRA_CA_CERTS'],
  ['https-proxy', 'HTTPS_PROXY'],
  ['proxy', 'HTTP_PROXY'],
];

/**
 * The environment for a `bun install` in `folder` that talks to the same registry as npm, in the same way.
 * A variable that is already set stays, but for the registry: there npm's word counts.
 *
 * @param {string} folder
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function bunInstallEnvironment(folder) {
  const names = SHARED_SETTINGS.map(([setting = '']) => setting);
  const command = npmCommand().concat('config', 'get', names, '--loglevel=silent');
  const options = { cwd: folder, env: npmEnvironment() };
  const { output } = await runProgram('asking npm for its registry', command, options);
  const env = npmEnvironment();
  for (const [setting = '', variable = ''] of SHARED_SETTINGS) {
    const line = output.split('\n').find((text) => text.startsWith(`${setting}=`));
    const value = line?.slice(setting.length + 1).trim() ?? '';
    if (value === '' || value === 'null' || value === 'undefined') continue;
    if (setting === 'registry' || env[variable] === undefined) env[variable] = value;
  }
  return env;
}
