/**
 * What `<Generated from="name" …/>` may name: functions that write MDX from tables and data, before
 * anything else looks at the page. Their headings, links and code are treated like authored ones.
 */
import { attestationSchemas } from './attestation-schemas.ts';
import { contracts } from './chain-contracts.ts';
import { chainGenerators } from './chains.ts';
import { conductorGenerators } from './conductor.ts';
import { dataTable } from './data-table.ts';
import { feeCalculatorExamples } from './fee-calculator.ts';
import type { Generator } from './generator.ts';
import { glossary } from './glossary.ts';
import { incidentGenerators } from './incidents.ts';
import { optionList, optionReference } from './options.ts';
import { changelog, decisionRecords, pageText } from './repository.ts';
import { rpcMethods } from './rpc-methods.ts';
import { simulationGenerators } from './simulation.ts';
import { upstreamGenerators } from './upstream.ts';
import { vocabulary } from './vocabulary.ts';

export const generators: Readonly<Record<string, Generator>> = {
  'attestation/schemas': attestationSchemas,
  ...conductorGenerators,
  ...chainGenerators,
  'chains/contracts': contracts,
  changelog,
  'decision-records': decisionRecords,
  'page/text': pageText,
  'fee-calculator/examples': feeCalculatorExamples,
  glossary,
  ...incidentGenerators,
  'options/list': optionList,
  'options/reference': optionReference,
  'data/table': dataTable,
  'rpc/methods': rpcMethods,
  ...simulationGenerators,
  ...upstreamGenerators,
  vocabulary,
};
