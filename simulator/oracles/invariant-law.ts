/** The law of invariants: nobody falls over. */
import { DiskError } from '../disk.ts';
import type { Law } from './oracle.ts';

/** The core never throws: a broken invariant is a defect, whatever the world does. */
export const noBrokenInvariant: Law = (broken) => ({
  threw: ({ id }, error) => {
    if (error instanceof DiskError) return;
    broken(`${id} threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  },
});
