/**
 * The relay of flashblocks put together: what the source sends goes to every client, as long as the
 * core says so, message by message. Text stays text, binary stays binary.
 */
import type { WithheldReason } from '#conductor/core/flashblocks';
import type { Logger, Metrics } from '#conductor/core/ports';
import { FanOut } from './fan-out.ts';
import { flashblocksLimits, type FlashblocksLimits } from './limits.ts';
import { serveFlashblocks, type FlashblocksServer } from './server.ts';
import { FlashblocksSource } from './source.ts';

export interface FlashblocksOptions {
  readonly sourceUrl: string;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly limits?: Partial<FlashblocksLimits>;
  /** Monotonic milliseconds. */
  now(): number;
}

export interface FlashblocksListening {
  readonly hostname: string;
  readonly port: number;
  /** Why a message may not be passed on at this moment; null when it may. */
  withheld(): WithheldReason | null;
}

export interface FlashblocksRelay {
  /** Opens the port of the clients and begins to pass messages on; throws when it is taken. */
  listen(listening: FlashblocksListening): { readonly port: number };
  stop(): Promise<void>;
}

/** Connects to the source; rejects with StartupError when it cannot be reached. */
export async function connectFlashblocks(options: FlashblocksOptions): Promise<FlashblocksRelay> {
  const { metrics, logger, now } = options;
  const limits = { ...flashblocksLimits, ...options.limits };
  let server: FlashblocksServer | null = null;
  let withheld = (): WithheldReason | null => 'not-leader';
  const fanOut = new FanOut({ limits, metrics, logger, now, withheld: () => withheld() });
  const source = new FlashblocksSource({
    url: options.sourceUrl,
    limits,
    metrics,
    logger,
    now,
    onMessage: (message) => fanOut.broadcast(message),
  });
  await source.connect();
  return {
    listen: (listening) => {
      server = serveFlashblocks({ ...listening, fanOut, limits });
      withheld = () => listening.withheld();
      return server;
    },
    stop: async () => {
      source.stop();
      await server?.stop();
    },
  };
}
