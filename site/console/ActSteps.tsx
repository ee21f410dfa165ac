/** Steps of a plan or of a change under way, what the tool says beside them, and what is left to do. */
import type { ReactElement } from 'react';
import type { ActStep } from '../../conductor/console/protocol.ts';
import styles from './ActDialog.module.css';

export interface ActStepsProps {
  readonly steps: readonly ActStep[];
  readonly notes: readonly string[];
  readonly afterwards: readonly string[];
}

/** States that mean that it is so. */
const over: ReadonlySet<string> = new Set(['done', 'skipped']);
const words: Readonly<Record<string, string>> = {
  done: 'done',
  skipped: 'was so already',
  performed: 'was performed, is waited for',
  started: 'under way',
  waiting: 'under way',
  undoing: 'is taken back',
  undone: 'was taken back',
  failed: 'failed',
  'not undone': 'could not be taken back',
};

export function ActSteps({ steps, notes, afterwards }: ActStepsProps): ReactElement {
  return (
    <>
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label="What the tool says">
          {notes.map((note, at) => (
            // Lines only ever come at the end, and may repeat.
            <li key={at}>{note}</li>
          ))}
        </ul>
      )}
      {steps.length > 0 && (
        <ol className={styles.steps} aria-label="Steps">
          {steps.map((step, at) => (
            <li key={at} data-state={stateOf(step)} aria-current={isNow(step) ? 'step' : undefined}>
              <b>{step.title}</b> <span>{wordOf(step)}</span>
              {step.text !== '' && <p>{step.state === 'open' && !step.isRefused ? `if ${step.text}` : step.text}</p>}
            </li>
          ))}
        </ol>
      )}
      {afterwards.length > 0 && (
        <div className={styles.afterwards}>
          <h3>Afterwards, by hand</h3>
          <ul>
            {afterwards.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function isNow({ state }: ActStep): boolean {
  return state === 'started' || state === 'waiting' || state === 'undoing';
}

function stateOf(step: ActStep): string {
  if (step.isRefused || step.state === 'failed' || step.state === 'not undone') return 'bad';
  if (over.has(step.state)) return 'done';
  return isNow(step) ? 'now' : 'open';
}

function wordOf({ state, isRefused, stopsSequencing }: ActStep): string {
  if (isRefused && state === 'open') return 'would be refused';
  return state === 'open' ? (stopsSequencing ? 'blocks stop meanwhile' : '') : (words[state] ?? state);
}
