/**
 * A change of the cluster: who, then the plan of the operators' tool with what it looks at, then a button, then its
 * steps as they are done. Esc closes the dialog; what was begun goes on.
 */
import { useEffect, useState, type ReactElement } from 'react';
import { Dialog } from '@base-ui/react/dialog';
import type { Act, ActStep, ClusterNow, Plan } from '../../conductor/console/protocol.ts';
import { post } from './live.ts';
import styles from './ActDialog.module.css';

export type Command = 'transfer' | 'pause' | 'resume';

export interface ActDialogProps {
  readonly command: Command;
  readonly cluster: ClusterNow;
  readonly close: () => void;
}

const words: Readonly<Record<Command, { readonly title: string; readonly who: string; readonly verb: string }>> = {
  transfer: { title: 'Hand leadership over', who: 'To', verb: 'Hand over' },
  pause: { title: 'Pause a conductor', who: 'Which', verb: 'Pause' },
  resume: { title: 'Resume a conductor', who: 'Which', verb: 'Resume' },
};

export function ActDialog({ command, cluster, close }: ActDialogProps): ReactElement {
  const candidates = candidatesOf(command, cluster);
  const [id, setId] = useState(candidates[0] ?? '');
  const [begunAtMs, setBegunAtMs] = useState<number | null>(null);
  const [error, setError] = useState('');
  const plan = usePlan(cluster.name, command, id, begunAtMs === null);
  const { title, who, verb } = words[command];
  const act = begunAtMs === null || cluster.act === null || cluster.act.atMs < begunAtMs ? null : cluster.act;
  const begin = async (): Promise<void> => {
    try {
      const atMs = Date.now() - 2000;
      await post(`api/clusters/${encodeURIComponent(cluster.name)}/acts`, { command, words: [id] });
      setBegunAtMs(atMs);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <Dialog.Root defaultOpen onOpenChange={(isOpen) => void (isOpen || close())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <Dialog.Title>{title}</Dialog.Title>
          <Dialog.Description>{cluster.name}</Dialog.Description>
          {begunAtMs === null && (
            <label>
              {who}
              <select className="control" value={id} onChange={({ target }) => setId(target.value)}>
                {candidates.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
          )}
          <Steps steps={act?.steps ?? plan?.steps ?? []} />
          <Verdict plan={begunAtMs === null ? plan : null} act={act} error={error} />
          <div className={styles.buttons}>
            <Dialog.Close className="word">{begunAtMs === null ? 'Cancel' : 'Close'}</Dialog.Close>
            {begunAtMs === null && (
              <button
                type="button"
                className="act"
                disabled={plan === null || plan.refusal !== null}
                onClick={() => void begin()}
              >
                {verb}
              </button>
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Steps({ steps }: { readonly steps: readonly ActStep[] }): ReactElement {
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, state, text, stopsSequencing }) => (
        <li key={title} data-state={state}>
          <b>{title}</b> <span>{state === 'open' ? (stopsSequencing ? 'blocks stop meanwhile' : '') : state}</span>
          {text !== '' && <p>{state === 'open' ? `if ${text}` : text}</p>}
        </li>
      ))}
    </ol>
  );
}

interface VerdictProps {
  readonly plan: Plan | null;
  readonly act: Act | null;
  readonly error: string;
}

function Verdict({ plan, act, error }: VerdictProps): ReactElement {
  const refusal = error === '' ? plan?.refusal : error;
  const isOver = act !== null && act.outcome !== null;
  return (
    <p className={styles.verdict} role="status" data-bad={refusal != null || (isOver && act.outcome !== 'done')}>
      {refusal != null && `Refused: ${refusal}`}
      {isOver && (act.outcome === 'done' ? 'Done.' : `${act.outcome}: ${act.reason}`)}
    </p>
  );
}

function candidatesOf(command: Command, { servers, leader }: ClusterNow): string[] {
  return servers
    .filter(({ id, state }) => {
      if (command === 'transfer') return id !== leader && state.answers;
      return state.answers && state.isPaused === (command === 'resume');
    })
    .map(({ id }) => id);
}

/** The plan as the server makes it; null until it is there. */
function usePlan(cluster: string, command: Command, id: string, isWanted: boolean): Plan | null {
  const [plan, setPlan] = useState<Plan | null>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    if (id === '') {
      setPlan({ title: '', steps: [], refusal: 'no server is there for it' });
      return undefined;
    }
    let isOver = false;
    setPlan(null);
    void askForPlan(cluster, { command, words: [id] }).then((made) => (isOver ? undefined : setPlan(made)));
    return () => {
      isOver = true;
    };
  }, [cluster, command, id, isWanted]);
  return plan;
}

/** Where the server has none, the reason stands in its place. */
async function askForPlan(cluster: string, request: object): Promise<Plan> {
  try {
    const response = await post(`api/clusters/${encodeURIComponent(cluster)}/plans`, request);
    return (await response.json()) as Plan;
  } catch (thrown) {
    return { title: '', steps: [], refusal: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
