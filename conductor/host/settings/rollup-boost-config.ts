/**
 * The settings about rollup-boost: its health check of either kind, and the relay of its flashblocks.
 */
import type { RollupBoostOptions } from '#conductor/core/health/rollup-boost';
import { shownUrl } from '#conductor/core/shown-url';
import { checkPort, flag, invalid, number, text, type Values } from './config-values.ts';
import { formatDuration } from '#conductor/cli/flag-values';
import { listenHostname } from './listen-address.ts';

/** Where flashblocks come from and the port they are passed on at. */
export interface FlashblocksConfig {
  /** ws://, wss://, or http:// and https://, which are dialled as those. */
  readonly sourceUrl: string;
  readonly hostname: string;
  readonly port: number;
}

/** Deadline of a check whose flag says 0, which means none in Go; milliseconds. */
const longestCheckMs = 60_000;

/** null when the check is off. */
export function rollupBoostOptions(values: Values): RollupBoostOptions | null {
  const limit = number(values, 'healthcheck.rollup-boost-partial-healthiness-tolerance-limit');
  const window = number(values, 'healthcheck.rollup-boost-partial-healthiness-tolerance-interval-seconds');
  if (limit > 0 !== window > 0)
    invalid(
      'invalid health check config: only one of RollupBoostPartialHealthinessToleranceLimit or ' +
        'RollupBoostPartialHealthinessToleranceIntervalSeconds found to be defined. Either define both of them or none, ' +
        'with --healthcheck.rollup-boost-partial-healthiness-tolerance-limit and -interval-seconds',
    );
  const isNext = flag(values, 'rollup-boost.next-enabled');
  const isByStatus = flag(values, 'rollup-boost.enabled');
  if (isByStatus && isNext) invalid('only one of rollup-boost or rollup-boost next healthchecks can be enabled');
  if (!isByStatus && !isNext) return null;
  const timeoutMs = number(values, 'rollup-boost.healthcheck-timeout');
  if (timeoutMs < 0) invalid(`--rollup-boost.healthcheck-timeout is ${formatDuration(timeoutMs)}, want 0s or more`);
  return {
    kind: isNext ? 'next' : 'status',
    timeoutMs: timeoutMs === 0 ? longestCheckMs : Math.max(1, Math.round(timeoutMs)),
    toleratedPartials: limit,
    toleranceWindowSeconds: window,
  };
}

/** The whole URL that is checked; '' when the check is off. */
export function rollupBoostUrl(values: Values): string {
  if (flag(values, 'rollup-boost.enabled')) return `${text(values, 'execution.rpc').replace(/\/+$/, '')}/healthz`;
  if (!flag(values, 'rollup-boost.next-enabled')) return '';
  const url = text(values, 'rollup-boost.next-healthcheck-url');
  if (url === '') invalid('missing rollup-boost next healthcheck URL');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    invalid(`--rollup-boost.next-healthcheck-url is ${shownUrl(url)}, want a URL with http or https`);
  return url;
}

/** null when there is no source of flashblocks. */
export function flashblocksConfig(values: Values): FlashblocksConfig | null {
  const sourceUrl = text(values, 'rollupboost.ws-url');
  if (sourceUrl === '') return null;
  if (!/^(ws|http)s?:\/\//i.test(sourceUrl) || !URL.canParse(sourceUrl))
    invalid(`--rollupboost.ws-url is ${shownUrl(sourceUrl)}, want a URL with ws, wss, http or https`);
  checkPort(values, 'websocket.server-port', 'WebSocket server port invalid');
  return {
    sourceUrl,
    hostname: listenHostname(text(values, 'websocket.server-addr')),
    port: number(values, 'websocket.server-port'),
  };
}
