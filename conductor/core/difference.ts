/** One deliberate difference from op-conductor v1.19.6. */
export interface Difference {
  readonly opConductor: string;
  readonly ours: string;
  readonly why: string;
  /** Title of a test. */
  readonly shownBy: string;
}
