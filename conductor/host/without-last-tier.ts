/**
 * Imported first by the entry, and only for what it does: a conductor that is to run for long replaces itself (adapters/system/
 * own-program.ts) before anything else of the program has been evaluated, which would be for nothing.
 */
import { withoutLastTier } from '#conductor/adapters/system/own-program';
import { programWords } from './program-words.ts';

const words = programWords(process.argv);
const [first = 'run'] = words;
const runsOn = first === 'run' || first.startsWith('-');
const wantsText = words.some((word) => ['-h', '--help', '-v', '--version'].includes(word));
if (runsOn && !wantsText) withoutLastTier();
