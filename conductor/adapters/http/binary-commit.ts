/**
 * base-consensus, started with --conductor.binary-commit, posts payloads as SSZ to a path of a fork of op-conductor. It is
 * not served here: op-node commits by JSON-RPC alone. Who posts there is told what to change, now and then.
 */
import { Hono } from 'hono';
import type { Logger } from '#conductor/core/ports';
import { plain } from './pages.ts';
import type { HttpEnv } from './server.ts';

const advice = 'binary commits are not served: start the node without --conductor.binary-commit';
/** Pause between two lines in the log, milliseconds; a sequencer posts each block several times. */
const againMs = 60_000;

/** The answer at that path. */
export function binaryCommits(logger: Logger, now: () => number): Hono<HttpEnv> {
  let saidAtMs = -Infinity;
  return new Hono<HttpEnv>().post('/commit-unsafe-payload', () => {
    if (now() - saidAtMs >= againMs) {
      saidAtMs = now();
      logger.log('error', 'the node posts its blocks to /commit-unsafe-payload, and none of them is committed', {
        err: advice,
      });
    }
    return plain(404, `${advice}\n`);
  });
}
