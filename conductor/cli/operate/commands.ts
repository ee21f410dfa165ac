/** The table of the operators' commands; a new one is one line here and a file of its own. */
import { bootstrapCommand } from './bootstrap-command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { joinCommand } from './join-command.ts';
import { leaveCommand } from './leave-command.ts';
import type { OperatorCommand } from './operator-command.ts';
import { pauseCommand, resumeCommand } from './pause-command.ts';
import { backupCommand } from './store/backup-command.ts';
import { recoverCommand } from './store/recover-command.ts';
import { restoreCommand } from './store/restore-command.ts';
import { statusCommand } from './status-command.ts';
import { transferCommand } from './transfer-command.ts';
import { watchCommand } from './watch-command.ts';

/** In the order of --help. */
export const operatorCommands: readonly OperatorCommand[] = [
  statusCommand,
  watchCommand,
  bootstrapCommand,
  joinCommand,
  leaveCommand,
  transferCommand,
  pauseCommand,
  resumeCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  recoverCommand,
];
