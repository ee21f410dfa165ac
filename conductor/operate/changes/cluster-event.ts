/** What can happen in a cluster that is worth a line; `changes.ts` finds it, screens and logs show it. */

/** Something worth a line. `fields` repeat it for programs. */
export interface ClusterEvent {
  readonly kind:
    | 'leader'
    | 'membership'
    | 'sequencing'
    | 'health'
    | 'execution'
    | 'pause'
    | 'gap'
    | 'fork'
    | 'process'
    | 'action'
    | 'block';
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}
