/** The URL of a client that is asked over HTTP, with op-conductor's words for one that is not. */
import { shownUrl } from '#conductor/core/shown-url';
import { invalid, text, type Values } from './config-values.ts';
import type { FlagName } from '#conductor/cli/flags';

/** '' where the flag is empty; throws ConfigError for anything but an HTTP or HTTPS URL. */
export function httpUrl(values: Values, name: FlagName, client: string): string {
  const address = text(values, name);
  if (address === '') return '';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1] ?? '';
  const isWebSocket = /^wss?$/i.test(scheme);
  if (!/^https?$/i.test(scheme)) {
    const refused = isWebSocket ? 'websockets are' : scheme === '' ? 'IPC is' : '';
    const advice =
      refused === '' ? 'want http or https' : `${refused} not dialled here: give the HTTP endpoint of the same node`;
    invalid(
      `failed to create ${client} rpc client: failed to dial address (${shownUrl(address)}): no known transport for URL scheme "${scheme}" (${advice})`,
    );
  }
  if (!URL.canParse(address)) invalid(`--${name} is not a URL: ${shownUrl(address)}`);
  return address;
}
