/**
 * A devnet from start to end: checks before anything is started, bring-up with progress, the live
 * table or one line per change, and an orderly stop on q, Ctrl-C or SIGTERM (a second signal kills).
 */
import { messageOf } from '#conductor/core/errors';
import { bringUp } from './bring-up.ts';
import { ChangeLog } from '#conductor/operate/changes/changes';
import type { ClusterEvent } from '#conductor/operate/changes/cluster-event';
import { DevnetConsole } from './devnet-console.ts';
import { openDataDir, type DataDir } from './data-dir.ts';
import { BlockThinning, formatEvent } from '#conductor/operate/changes/line-output';
import type { DevnetOptions } from './options.ts';
import { planNodes, type NodePlan } from './plan.ts';
import { watchParent } from '#conductor/dev-sequencer/parent-watch';
import { conductorPage } from '#conductor/cli/documentation';
import { checkPorts } from './port-check.ts';
import { Probe } from './probe.ts';
import { startReaper, type Reaper } from './reaper.ts';
import { Supervisor } from './supervisor.ts';
import { TerminalUi } from './terminal-ui.ts';

/** Runs until it is stopped. Returns the exit code. Throws DevnetError when it could not start; then nothing is left running. */
export async function runDevnet(options: DevnetOptions): Promise<number> {
  const nodes = planNodes(options.portOffset);
  using dataDir = openDataDir(options);
  const progress = (line: string): void => void process.stdout.write(`ports        ${line}\n`);
  await checkPorts(nodes, { portOffset: options.portOffset, mayMove: !dataDir.manifest.isFormed, progress });
  return await new Devnet(options, nodes, dataDir).run();
}

class Devnet {
  readonly #options: DevnetOptions;
  readonly #dataDir: DataDir;
  readonly #reaper: Reaper;
  readonly #supervisor: Supervisor;
  readonly #stopRequest = Promise.withResolvers<void>();
  readonly #changes: ChangeLog;
  readonly #thinning: BlockThinning;
  #signals = 0;
  #ui: TerminalUi | null = null;
  #console: DevnetConsole | null = null;

  constructor(options: DevnetOptions, nodes: readonly NodePlan[], dataDir: DataDir) {
    this.#options = options;
    this.#dataDir = dataDir;
    this.#changes = new ChangeLog(options.blockSeconds);
    this.#thinning = new BlockThinning(options.reportEveryBlocks);
    this.#reaper = startReaper();
    if (dataDir.isTemporary) this.#reaper.noteFolder(dataDir.path);
    this.#supervisor = new Supervisor({
      devnet: options,
      nodes,
      dataDir,
      reaper: this.#reaper,
      onExit: (name, reason, wasExpected) => this.#noteExit(name, reason, wasExpected),
    });
  }

  async run(): Promise<number> {
    const onSignal = (): void => this.#requestStop();
    process.on('uncaughtException', (error) => this.#crash(error));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    watchParent(onSignal);
    try {
      await this.#start();
      this.#openConsole();
      const probe = new Probe(this.#supervisor.nodes, (view) => this.#take(view));
      if (process.stdout.isTTY && process.stdin.isTTY) this.#openUi(probe);
      await this.#stopRequest.promise;
      probe.close();
    } catch (error) {
      if (this.#signals === 0) {
        this.#dataDir.keep();
        throw error;
      }
    } finally {
      this.#closeUi();
      await this.#console?.stop();
      await this.#stop();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
    }
    return this.#signals > 1 ? 1 : 0;
  }

  async #start(): Promise<void> {
    const startedMs = performance.now();
    const where = this.#dataDir.isTemporary ? `${this.#dataDir.path} (removed at the end)` : this.#dataDir.path;
    say(`devnet       ${this.#dataDir.manifest.isFormed ? 'resuming' : 'forming'} three conductors in ${where}`);
    say(`logs         ${this.#dataDir.logs}`);
    await bringUp({
      supervisor: this.#supervisor,
      dataDir: this.#dataDir,
      say,
      isCancelled: () => this.#signals > 0,
    });
    const ports = this.#supervisor.nodes.map((node) => node.plan.ports.conductorRpc).join(', ');
    say(`docs         ${conductorPage}; in a checkout also npm run docs:preview`);
    say(`ready        in ${((performance.now() - startedMs) / 1000).toFixed(1)} s; conductor RPC on ports ${ports}`);
  }

  /** In this process: nothing waits for it, and a devnet without its page is still one. */
  #openConsole(): void {
    const { portOffset, hasConsole } = this.#options;
    if (!hasConsole) return;
    this.#console = new DevnetConsole({
      nodes: this.#supervisor.nodes.map((node) => node.plan),
      portOffset,
      folder: this.#dataDir.path,
      said: (line) => {
        if (this.#ui === null) say(line);
      },
    });
  }

  #openUi(probe: Probe): void {
    this.#reaper.noteScreen(true);
    this.#ui = new TerminalUi({
      supervisor: this.#supervisor,
      blockSeconds: this.#options.blockSeconds,
      hasColour: (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
      facts: () => this.#facts(),
      view: () => probe.view(),
      onQuit: () => this.#requestStop(),
    });
  }

  #facts(): string[] {
    const list = (name: keyof NodePlan['ports']): string =>
      this.#supervisor.nodes.map((node) => node.plan.ports[name]).join(' ');
    return [
      `conductor RPC ${list('conductorRpc')}   raft ${list('raft')}`,
      `metrics ${list('metrics')}   sequencers ${list('sequencerNode')}`,
      `logs in ${this.#dataDir.logs}`,
      `docs ${conductorPage}`,
      ...(this.#console === null ? [] : [`console ${this.#console.place}`]),
    ];
  }

  #take(view: ReturnType<Probe['view']>): void {
    const events = this.#changes.advance(view);
    if (this.#ui === null) {
      for (const event of events) this.#print(event);
    } else {
      this.#ui.update(view, events);
    }
  }

  #noteExit(name: string, reason: string, wasExpected: boolean): void {
    if (wasExpected) return;
    const event: ClusterEvent = {
      kind: 'process',
      atMs: Date.now(),
      text: `${name} ${reason}`,
      fields: { process: name },
    };
    if (this.#ui === null) this.#print(event);
    else this.#ui.note([event]);
  }

  #print(event: ClusterEvent): void {
    if (this.#thinning.admits(event)) process.stdout.write(`${formatEvent(event)}\n`);
  }

  /** A defect of our own: give the terminal back, leave nothing running, and say what it was. */
  #crash(error: Error): void {
    this.#closeUi();
    process.stderr.write(`devnet: ${error.stack ?? error.message}\n`);
    void this.#killAllAndExit();
  }

  async #killAllAndExit(): Promise<never> {
    await this.#supervisor.killAll();
    process.exit(1);
  }

  #requestStop(): void {
    this.#signals += 1;
    this.#stopRequest.resolve();
    if (this.#signals > 1) void this.#supervisor.killAll();
  }

  #closeUi(): void {
    this.#ui?.close();
    this.#ui = null;
    this.#reaper.noteScreen(false);
  }

  async #stop(): Promise<void> {
    say('stopping     conductors, then sequencers (again to force)');
    try {
      await this.#supervisor.stop();
    } catch (error) {
      say(`stopping     failed: ${messageOf(error)}; killing what is left`);
      await this.#supervisor.killAll();
    }
    this.#reaper.dismiss();
    say('stopped');
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
