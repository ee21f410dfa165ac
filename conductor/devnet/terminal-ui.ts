/** The live picture: views and events in, key presses out, at most four frames a second. */
import { act, actOnCluster, type ClusterAction, type NodeAction } from './actions.ts';
import type { ClusterEvent } from '#conductor/operate/changes/cluster-event';
import { renderFrame } from './frame.ts';
import { readKeys, type KeyAction } from '#conductor/cli/terminal/keys';
import { Rhythm } from './rhythm.ts';
import { Screen } from '#conductor/cli/terminal/screen';
import type { Supervisor } from './supervisor.ts';
import type { ClusterView } from '#conductor/operate/changes/view';

/** Shortest time between two frames, in milliseconds. */
const FRAME_EVERY_MS = 250;
/** Events kept for display. */
const EVENTS_MAX = 200;

/** What the interface acts on. */
export interface TerminalUiOptions {
  readonly supervisor: Supervisor;
  readonly blockSeconds: number;
  /** Lines of the help about this devnet, as they are now. */
  readonly facts: () => readonly string[];
  readonly hasColour: boolean;
  readonly view: () => ClusterView;
  readonly onQuit: () => void;
}

/** Owns the terminal from construction to `close`. */
export class TerminalUi {
  readonly #options: TerminalUiOptions;
  readonly #screen: Screen;
  readonly #rhythm: Rhythm;
  readonly #startedMs = Date.now();
  #events: ClusterEvent[] = [];
  #selected = 0;
  #isHelpShown = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #drawnAtMs = 0;

  constructor(options: TerminalUiOptions) {
    this.#options = options;
    this.#rhythm = new Rhythm(options.blockSeconds);
    this.#screen = new Screen(options.hasColour);
    this.#screen.open({ onInput: (chunk) => this.#press(chunk), onResize: () => this.#draw() });
    this.#draw();
  }

  /** Takes a new view in and draws soon. */
  update(view: ClusterView, events: readonly ClusterEvent[]): void {
    this.#rhythm.advance(view);
    this.note(events.filter((event) => event.kind !== 'block'));
  }

  /** Adds events and draws soon. */
  note(events: readonly ClusterEvent[]): void {
    this.#events = [...this.#events, ...events].slice(-EVENTS_MAX);
    this.#drawSoon(FRAME_EVERY_MS);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#screen.close();
  }

  #press(chunk: string): void {
    for (const action of readKeys(chunk)) this.#obey(action);
    this.#draw();
  }

  #obey(action: KeyAction): void {
    const count = this.#options.supervisor.nodes.length;
    switch (action.kind) {
      case 'select':
        this.#selected = Math.min(action.index, count - 1);
        return;
      case 'move':
        this.#selected = (this.#selected + action.by + count) % count;
        return;
      case 'help':
        this.#isHelpShown = !this.#isHelpShown;
        return;
      case 'quit':
        this.#options.onQuit();
        return;
      case 'seal-invalid':
      case 'cut-power':
        void this.#actOnCluster(action.kind);
        return;
      default:
        void this.#actOnNode(action.kind);
    }
  }

  async #actOnNode(action: NodeAction): Promise<void> {
    const { supervisor, view } = this.#options;
    const node = supervisor.nodes[this.#selected];
    if (node === undefined) return;
    const text = await act(action, node, supervisor, view());
    if (text === null) return;
    this.note([{ kind: 'action', atMs: Date.now(), text, fields: { node: node.plan.id, action } }]);
  }

  async #actOnCluster(action: ClusterAction): Promise<void> {
    const { supervisor, view } = this.#options;
    const text = await actOnCluster(action, supervisor, view());
    this.note([{ kind: 'action', atMs: Date.now(), text, fields: { action } }]);
  }

  #drawSoon(everyMs: number): void {
    const waitMs = Math.max(0, this.#drawnAtMs + everyMs - performance.now());
    this.#timer ??= setTimeout(() => this.#draw(), waitMs);
  }

  #draw(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#drawnAtMs = performance.now();
    const picture = {
      view: this.#options.view(),
      events: this.#events,
      rhythm: this.#rhythm,
      selected: this.#selected,
      isHelpShown: this.#isHelpShown,
      startedMs: this.#startedMs,
      blockSeconds: this.#options.blockSeconds,
      facts: this.#options.facts(),
    };
    this.#screen.draw(renderFrame(picture, this.#screen.size));
  }
}
