/** The generators of the Conductor page and of recorded outputs, by the name that pages give in `from`. */
import { conductorDifferences } from './conductor-differences.ts';
import { blueGreenSwitch } from './conductor-blue-green.ts';
import { conductorFailover } from './conductor-failovers.ts';
import { conductorFlags, conductorFlagTable } from './conductor-flags.ts';
import { conductorMethods, conductorMethodTable } from './conductor-methods.ts';
import { conductorMetrics } from './conductor-metrics.ts';
import { conductorTrace } from './conductor-traces.ts';
import type { Generator } from './generator.ts';
import { recordedOutput } from './recorded-outputs.ts';

export const conductorGenerators: Readonly<Record<string, Generator>> = {
  'conductor/differences': conductorDifferences,
  'conductor/drawing': conductorFailover,
  'conductor/blue-green': blueGreenSwitch,
  'conductor/flag-table': conductorFlagTable,
  'conductor/flags': conductorFlags,
  'conductor/method-table': conductorMethodTable,
  'conductor/methods': conductorMethods,
  'conductor/metrics': conductorMetrics,
  'conductor/trace': conductorTrace,
  'recorded/output': recordedOutput,
};
