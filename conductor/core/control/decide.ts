/**
 * The control table: what to do in each of the eight states (leader, healthy, active). The rows are
 * data; the two rows that need to know more (an unhealthy leader) are resolved by `decide`.
 * Rules 18 and 19 of the design: a stale head alone never bars a start, leadership never bounces.
 */
import type { TransferChoice } from './target.ts';

export interface ControlState {
  readonly leader: boolean;
  readonly healthy: boolean;
  /** The sequencer builds blocks, as far as this conductor knows. */
  readonly active: boolean;
}

/** What a row of the table says. */
export type RowAction = 'none' | 'report' | 'stop' | 'start' | 'startOrTransfer' | 'recoverOrTransfer';

export interface ControlRow extends ControlState {
  readonly action: RowAction;
  readonly meaning: string;
}

export const controlTable: readonly ControlRow[] = [
  {
    leader: false,
    healthy: false,
    active: false,
    action: 'report',
    meaning: 'an unhealthy follower: needs an operator',
  },
  { leader: false, healthy: false, active: true, action: 'stop', meaning: 'sequencing without leading' },
  { leader: false, healthy: true, active: false, action: 'none', meaning: 'a healthy follower' },
  { leader: false, healthy: true, active: true, action: 'stop', meaning: 'sequencing without leading' },
  { leader: true, healthy: false, active: false, action: 'startOrTransfer', meaning: 'elected while unhealthy' },
  { leader: true, healthy: false, active: true, action: 'recoverOrTransfer', meaning: 'the leader became unhealthy' },
  { leader: true, healthy: true, active: false, action: 'start', meaning: 'elected and healthy' },
  { leader: true, healthy: true, active: true, action: 'none', meaning: 'a healthy leader' },
];

/** What more there is to know about an unhealthy leader. */
export interface DecideContext {
  /** The own node answered the last health check. */
  readonly nodeAnswers: boolean;
  /** The client has ended: whatever its sequencer is told, it cannot build. */
  readonly clientIsGone: boolean;
  /** The sequencer was started so recently that what is wrong may pass (rule 19): an old head takes longer than anything else. */
  readonly isInGrace: boolean;
  /** Where it is not known of anybody whether it is any better, anything may take as long (record 0155). */
  readonly isInLongGrace: boolean;
  /** Only the head is old, for a reason that another leader would share (rule 31). */
  readonly isCauseCommon: boolean;
  /** Starting has failed for longer than this node is allowed to try. */
  readonly hasStartFailed: boolean;
  /** It leads since so short a time that peers cannot have told of themselves yet. */
  readonly isJustElected: boolean;
  /** Whom leadership could go to (rule 18). */
  readonly choice: TransferChoice;
}

/** What to do now. `alarm` asks for an operator while going on. */
export type Decision =
  | { readonly action: 'none' | 'report' | 'stop' | 'wait' }
  | { readonly action: 'start'; readonly alarm: string | null }
  | { readonly action: 'transfer' | 'stopAndTransfer'; readonly choice: TransferChoice }
  | { readonly action: 'keep'; readonly alarm: string };

/** The table's row for a state. */
export function rowOf(state: ControlState): ControlRow {
  const position = (state.leader ? 4 : 0) + (state.healthy ? 2 : 0) + (state.active ? 1 : 0);
  return controlTable[position] as ControlRow;
}

/** Resolves the state's row with what else is known. */
export function decide(state: ControlState, context: DecideContext): Decision {
  const { action } = rowOf(state);
  switch (action) {
    case 'start':
      return context.hasStartFailed ? handOnOrStart(context) : { action: 'start', alarm: null };
    case 'startOrTransfer':
      return startOrTransfer(context);
    case 'recoverOrTransfer':
      return recoverOrTransfer(context);
    default:
      return { action };
  }
}

/** Healthy, and yet it could not be started. */
function handOnOrStart({ choice, isJustElected }: DecideContext): Decision {
  if (choice.kind === 'none') return { action: 'start', alarm: null };
  if (choice.kind === 'unknown' && isJustElected) return { action: 'wait' };
  return { action: 'transfer', choice };
}

function startOrTransfer(context: DecideContext): Decision {
  const { choice } = context;
  if (choice.kind === 'healthy') return { action: 'transfer', choice };
  if (context.clientIsGone && choice.kind === 'none')
    return { action: 'keep', alarm: 'the execution client is gone and there is nobody to hand leadership to' };
  const mayStart = context.nodeAnswers && !context.hasStartFailed;
  if (mayStart) return { action: 'start', alarm: null };
  if (choice.kind === 'unknown') return context.isJustElected ? { action: 'wait' } : { action: 'transfer', choice };
  return { action: 'start', alarm: 'the own sequencer is not healthy and there is nobody to hand leadership to' };
}

function recoverOrTransfer(context: DecideContext): Decision {
  const mayPass = context.isInGrace || (context.isInLongGrace && context.choice.kind === 'unknown');
  if (context.nodeAnswers && mayPass) return { action: 'wait' };
  if (context.isCauseCommon) return { action: 'wait' };
  if (context.choice.kind === 'none') {
    // A client that comes back without its newest states cannot build on its head, and op-node would wait for that.
    if (context.clientIsGone) return { action: 'stop' };
    return {
      action: 'keep',
      alarm: 'the sequencer is not healthy and there is nobody to hand leadership to: it goes on',
    };
  }
  if (context.choice.kind === 'unknown' && context.isJustElected) return { action: 'wait' };
  return { action: 'stopAndTransfer', choice: context.choice };
}
