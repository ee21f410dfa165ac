/** The steps made so far, and what they come to. */
import type { Recording } from './facts.ts';
import { Shadow, type Message, type ShadowServer } from './shadow.ts';
import { actions, type Step } from './steps.ts';

export class Walker {
  readonly steps: Step[] = [];
  readonly shadow: Shadow;
  /** The number of the fact that steps are made of now. */
  fact = 0;

  constructor(recording: Recording) {
    this.shadow = new Shadow(recording);
  }

  server(at: number): ShadowServer {
    return this.shadow.servers[at]!;
  }

  step(action: string): void {
    this.steps.push({ action, fact: this.fact });
  }

  /** A message is handled and gone. It may be one that nobody sent: the step is then refused. */
  receive(message: Message): void {
    this.step(actions.receive(message));
    const held = this.shadow.find(message);
    if (held !== undefined) this.shadow.remove(held);
  }

  /** The network loses what nobody waits for: without it, steps become slow. */
  tidy(): void {
    for (const message of this.shadow.stale()) {
      this.step(actions.drop(message));
      this.shadow.remove(message);
    }
  }
}
