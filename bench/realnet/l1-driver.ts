/**
 * The L1's consensus layer in miniature: asks the execution client for a block each slot over the engine API, makes it
 * the head, and answers the three questions that op-node has for a beacon node. There are no blobs on this net.
 */
import { createHmac } from 'node:crypto';
import { pause } from '../../tests/cluster/wait.ts';
import { callRpc } from './json-rpc.ts';
import { quantity, zeros } from './net-constants.ts';

export const L1_SLOT_SECONDS = 2;
const BUILD_MS = 100;
const RETRY_MS = 500;
const LOOK_EVERY_MS = 50;
/** Whoever is paid, the block is another one. */
const OTHER_RECIPIENT = `0x${'0'.repeat(39)}1`;
/** Blocks behind the head that are safe, and finalised. */
const SAFE_BEHIND = 2;
const FINALISED_BEHIND = 4;

export interface L1DriverOptions {
  readonly engineUrl: string;
  readonly genesisHash: string;
  readonly genesisTime: number;
  /** Hex, as in geth's file. */
  readonly jwtSecret: string;
  /** Latest hashes of the chain that it goes on with, the head last; the genesis alone by default. */
  readonly chain?: readonly string[];
  /** Who is paid by its blocks: nobody by default. */
  readonly paid?: string;
  /** Called with every block that becomes the head. */
  readonly onHead?: (block: L1Block) => void;
}

/** A block of the L1 as the engine API takes it, and what is head, safe and final with it. */
export interface L1Block {
  readonly payload: BuiltPayload;
  readonly forkchoice: object;
}

/** As engine_getPayload hands it out. */
export interface BuiltPayload {
  readonly executionPayload: { readonly blockHash: string };
  readonly executionRequests?: readonly string[];
}

/** What is asked for by `reorganise`; both blocks are null until their slot. */
interface Fork {
  taken: BuiltPayload | null;
  other: BuiltPayload | null;
  readonly isUsed: (hash: string) => Promise<boolean>;
  readonly done: () => void;
}

export class L1Driver {
  readonly #options: L1DriverOptions;
  /** Latest hashes, the head last. */
  #chain: string[];
  #hasEnded = false;
  #fork: Fork | null = null;
  readonly #beacon: ReturnType<typeof Bun.serve>;
  readonly #run: Promise<void>;

  constructor(options: L1DriverOptions) {
    this.#options = options;
    this.#chain = [...(options.chain ?? [options.genesisHash])];
    const answers: Readonly<Record<string, object>> = {
      '/eth/v1/node/version': { version: 'bench/1' },
      '/eth/v1/beacon/genesis': { genesis_time: String(options.genesisTime) },
      '/eth/v1/config/spec': { SECONDS_PER_SLOT: String(L1_SLOT_SECONDS) },
    };
    this.#beacon = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        const data = answers[new URL(request.url).pathname];
        return data === undefined ? Response.json({ code: 404 }, { status: 404 }) : Response.json({ data });
      },
    });
    this.#run = this.#makeBlocks();
  }

  /** Gives a client blocks that another one made, the last of them as its head. */
  static async give(client: L1DriverOptions, blocks: readonly L1Block[]): Promise<void> {
    for (const { payload } of blocks) await callEngine(client, 'engine_newPayloadV4', newPayloadParams(payload));
    const head = blocks.at(-1);
    if (head !== undefined) await callEngine(client, 'engine_forkchoiceUpdatedV3', [head.forkchoice, null]);
  }

  /** Latest hashes, the head last. */
  get chain(): readonly string[] {
    return this.#chain;
  }

  get beaconUrl(): string {
    return this.#beacon.url.origin;
  }

  /** Makes two blocks in the next slot and goes on with one, until `isUsed` says that it may be lost; then with the other. */
  reorganise(isUsed: (hash: string) => Promise<boolean>): Promise<void> {
    return new Promise((done) => {
      this.#fork = { taken: null, other: null, isUsed, done };
    });
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    await this.#run;
    await this.#beacon.stop(true);
  }

  async #makeBlocks(): Promise<void> {
    const { genesisTime } = this.#options;
    let madeAt = this.#options.chain === undefined ? genesisTime : this.#lastSlotAt();
    while (!this.#hasEnded) {
      const slotAt = this.#lastSlotAt();
      try {
        if (slotAt > madeAt) {
          await this.#makeBlock(slotAt);
          madeAt = slotAt;
        }
        // In this loop, so that no block is being made on what is lost.
        await this.#switch();
      } catch (error) {
        // The execution client did not go along; the next time it is tried again.
        if (!this.#hasEnded) console.error(`L1: ${error instanceof Error ? error.message : String(error)}`);
      }
      await pause(this.#fork === null ? RETRY_MS : LOOK_EVERY_MS);
    }
  }

  #lastSlotAt(): number {
    const { genesisTime } = this.#options;
    return genesisTime + Math.floor((Date.now() / 1000 - genesisTime) / L1_SLOT_SECONDS) * L1_SLOT_SECONDS;
  }

  async #makeBlock(unixSeconds: number): Promise<void> {
    const fork = this.#fork?.taken === null ? this.#fork : null;
    const other = fork === null ? null : await this.#build(unixSeconds, OTHER_RECIPIENT);
    const taken = await this.#build(unixSeconds, this.#options.paid ?? zeros.slice(0, 42));
    await this.#becomesHead(this.#chain, taken);
    if (fork !== null) Object.assign(fork, { taken, other });
  }

  /** Goes over to the other block of a fork once the taken one is used. */
  async #switch(): Promise<void> {
    const fork = this.#fork;
    if (fork === null || fork.taken === null || fork.other === null) return;
    if (!(await fork.isUsed(hashOf(fork.taken)))) return;
    this.#fork = null;
    await this.#becomesHead(this.#chain.slice(0, this.#chain.indexOf(hashOf(fork.taken))), fork.other);
    fork.done();
  }

  async #becomesHead(parents: readonly string[], payload: BuiltPayload): Promise<void> {
    this.#chain = [...parents, hashOf(payload)].slice(-FINALISED_BEHIND - 1);
    const forkchoice = this.#forkchoice();
    await this.#engine('engine_forkchoiceUpdatedV3', [forkchoice, null]);
    this.#options.onHead?.({ payload, forkchoice });
  }

  /** A block on the head, which the client knows from then on. */
  async #build(unixSeconds: number, suggestedFeeRecipient: string): Promise<BuiltPayload> {
    const attributes = {
      ...{ timestamp: quantity(unixSeconds), prevRandao: zeros, suggestedFeeRecipient },
      ...{ withdrawals: [], parentBeaconBlockRoot: zeros },
    };
    const begun = (await this.#engine('engine_forkchoiceUpdatedV3', [this.#forkchoice(), attributes])) as {
      payloadId: string;
    };
    await pause(BUILD_MS);
    const built = (await this.#engine('engine_getPayloadV4', [begun.payloadId])) as BuiltPayload;
    await this.#engine('engine_newPayloadV4', newPayloadParams(built));
    return built;
  }

  #forkchoice(): object {
    const behind = (count: number): string => this.#chain[Math.max(0, this.#chain.length - 1 - count)] as string;
    return {
      headBlockHash: behind(0),
      safeBlockHash: behind(SAFE_BEHIND),
      finalizedBlockHash: behind(FINALISED_BEHIND),
    };
  }

  #engine(method: string, params: readonly unknown[]): Promise<unknown> {
    return callEngine(this.#options, method, params);
  }
}

function callEngine(
  { engineUrl, jwtSecret }: L1DriverOptions,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claim = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iat: Math.floor(Date.now() / 1000) })}`;
  const proof = createHmac('sha256', Buffer.from(jwtSecret, 'hex')).update(claim).digest('base64url');
  return callRpc(engineUrl, method, params, { headers: { Authorization: `Bearer ${claim}.${proof}` } });
}

function newPayloadParams({ executionPayload, executionRequests = [] }: BuiltPayload): unknown[] {
  return [executionPayload, [], zeros, executionRequests];
}

function hashOf({ executionPayload }: BuiltPayload): string {
  return executionPayload.blockHash;
}
