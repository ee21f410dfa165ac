/** The generators of the Conductor page and of recorded outputs, by the name that pages give in `from`. */
import { conductorDifferences } from './conductor-differences.ts';
import { conductorFlagIndex, conductorFlags, conductorRequiredFlags } from './conductor-flags.ts';
import { conductorMethodIndex, conductorMethods } from './conductor-methods.ts';
import { conductorMetrics } from './conductor-metrics.ts';
import type { Generator } from './generator.ts';
import { recordedOutput } from './recorded-outputs.ts';

export const conductorGenerators: Readonly<Record<string, Generator>> = {
  'conductor/differences': conductorDifferences,
  'conductor/flag-index': conductorFlagIndex,
  'conductor/required-flags': conductorRequiredFlags,
  'conductor/flags': conductorFlags,
  'conductor/method-index': conductorMethodIndex,
  'conductor/methods': conductorMethods,
  'conductor/metrics': conductorMetrics,
  'recorded/output': recordedOutput,
};
