/**
 * What `<Generated from="name" …/>` may name: functions that write MDX from tables and data, before
 * anything else looks at the page. Their headings, links and code are treated like authored ones.
 */
import { conductorGenerators } from './conductor.ts';
import type { Generator } from './generator.ts';

export const generators: Readonly<Record<string, Generator>> = { ...conductorGenerators };
