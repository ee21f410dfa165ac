/** The table of the operators' commands; a new one is one line here and a file of its own. */
import { bluegreenCommand } from './bluegreen-command.ts';
import { bootstrapCommand } from './bootstrap-command.ts';
import { canaryCommand } from './canary-command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { joinCommand } from './join-command.ts';
import { leaveCommand } from './leave-command.ts';
import { migrateCommand } from './migrate-command.ts';
import type { OperatorCommand } from './operator-command.ts';
import { overrideCommand } from './override-command.ts';
import { pauseCommand, resumeCommand } from './pause-command.ts';
import { repairCommand } from './repair-command.ts';
import { rollingCommand } from './rolling-command.ts';
import { backupCommand } from './store/backup-command.ts';
import { recoverCommand } from './store/recover-command.ts';
import { restoreCommand } from './store/restore-command.ts';
import { statusCommand } from './status-command.ts';
import { stopCommand } from './stop-command.ts';
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
  stopCommand,
  repairCommand,
  overrideCommand,
  bluegreenCommand,
  canaryCommand,
  rollingCommand,
  migrateCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  recoverCommand,
];
