/** The same for mutants as for runs of the soak. */
export { shrinkRun } from '../../simulator/shrink.ts';
