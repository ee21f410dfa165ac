/** The table of the operators' commands; a new one is one line here and a file of its own. */
import type { OperatorCommand } from './operator-command.ts';
import { pauseCommand, resumeCommand } from './pause-command.ts';
import { statusCommand } from './status-command.ts';
import { transferCommand } from './transfer-command.ts';

/** In the order of --help. */
export const operatorCommands: readonly OperatorCommand[] = [
  statusCommand,
  transferCommand,
  pauseCommand,
  resumeCommand,
];
