/**
 * A change of the cluster: who and how, then the plan of the operators' tool with what it looks at, then a button, then
 * its steps as they are done. Esc closes the dialog; what was begun goes on, and is shown again from the page.
 */
import { useEffect, useState, type ReactElement } from 'react';
import { Dialog } from '@base-ui/react/dialog';
import type { Act, ActForm, ClusterNow, Plan } from '../../conductor/console/protocol.ts';
import { ActFields, type Chosen } from './ActFields.tsx';
import { ActSteps } from './ActSteps.tsx';
import { actWords, likelyServers } from './act-words.ts';
import { post } from './live.ts';
import styles from './ActDialog.module.css';

/** A pause in writing, before the next plan is asked for. */
const SETTLE_MS = 250;

export interface ActDialogProps {
  /** What is to be planned; null shows the change that is under way. */
  readonly command: string | null;
  readonly cluster: ClusterNow;
  readonly close: () => void;
}

export function ActDialog({ command, cluster, close }: ActDialogProps): ReactElement {
  const [begun, setBegun] = useState(command === null);
  const { title } = (command === null ? null : actWords[command]) ?? { title: cluster.act?.title ?? '' };
  return (
    <Dialog.Root defaultOpen onOpenChange={(isOpen) => void (isOpen || close())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <Dialog.Title>{title}</Dialog.Title>
          {begun || command === null ? (
            <Progress cluster={cluster} />
          ) : (
            <Planning command={command} cluster={cluster} begun={() => setBegun(true)} />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PlanningProps {
  readonly command: string;
  readonly cluster: ClusterNow;
  readonly begun: () => void;
}

function Planning({ command, cluster, begun }: PlanningProps): ReactElement {
  const form = useForm(command);
  const [chosen, setChosen] = useState<Chosen>({ words: likelyServers(command, cluster), flags: {} });
  const [error, setError] = useState('');
  const [typed, setTyped] = useState('');
  const { who, verb, isGrave } = actWords[command]!;
  const request = { command, words: chosen.words, flags: given(chosen.flags) };
  const plan = usePlan(cluster.name, form === null ? null : JSON.stringify(request));
  const isReady = plan !== null && plan.refusal === null && plan.steps.length > 0;
  const isConfirmed = isGrave !== true || typed === cluster.name;
  const begin = async (): Promise<void> => {
    try {
      await post(`${pathOf(cluster)}/acts`, { ...request, plan: plan?.id });
      begun();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  const refusal = error === '' ? plan?.refusal : error;
  // A step that would be refused says why itself.
  const isSaid = error === '' && plan?.steps.some(({ isRefused }) => isRefused) === true;
  return (
    <>
      <Dialog.Description className={styles.about}>
        {cluster.name}
        {form === null ? '' : `: ${form.description}`}
      </Dialog.Description>
      {form !== null && (
        <ActFields
          form={form}
          who={who}
          cluster={cluster}
          chosen={chosen}
          choose={(next) => (setError(''), setChosen(next))}
        />
      )}
      {plan !== null && <ActSteps {...plan} />}
      <p className={styles.verdict} role="status" data-bad={refusal != null}>
        {refusal != null ? (isSaid ? 'Refused.' : `Refused: ${refusal}`) : plan === null ? 'Planning…' : ''}
      </p>
      {isReady && isGrave === true && (
        <label>
          Write the name of the cluster, {cluster.name}, to go on
          <input
            className="control"
            value={typed}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
      )}
      <div className={styles.buttons}>
        <Dialog.Close className="word">Cancel</Dialog.Close>
        <button type="button" className="act" disabled={!isReady || !isConfirmed} onClick={() => void begin()}>
          {verb}
        </button>
      </div>
    </>
  );
}

function Progress({ cluster }: { readonly cluster: ClusterNow }): ReactElement {
  const { act } = cluster;
  if (act === null) return <p role="status">Beginning…</p>;
  const isOver = act.outcome !== null;
  return (
    <>
      <Dialog.Description className={styles.about}>
        {cluster.name}: {act.title}, by {act.name}
      </Dialog.Description>
      <ActSteps steps={act.steps} notes={act.notes} afterwards={act.outcome === 'done' ? act.afterwards : []} />
      <p className={styles.verdict} role="status" data-bad={isOver && act.outcome !== 'done'}>
        {!isOver ? 'Under way.' : act.outcome === 'done' ? 'Done.' : `${sentenceOf(act)}: ${act.reason}`}
      </p>
      <div className={styles.buttons}>
        {!isOver && <Interrupt act={act} cluster={cluster} />}
        <Dialog.Close className="word">Close</Dialog.Close>
      </div>
    </>
  );
}

const interruptWords = ['Finish this step, then stop', 'Take this step back'];

function Interrupt({ act, cluster }: { readonly act: Act; readonly cluster: ClusterNow }): ReactElement | null {
  const label = interruptWords[act.interrupts];
  if (label === undefined) return null;
  return (
    <button
      type="button"
      className="word"
      onClick={() => void post(`${pathOf(cluster)}/interrupts`, {}).catch(() => undefined)}
    >
      {label}
    </button>
  );
}

function sentenceOf({ outcome }: Act): string {
  if (outcome === 'deadline') return 'Not done in time';
  return `${(outcome ?? '').slice(0, 1).toUpperCase()}${(outcome ?? '').slice(1)}`;
}

function pathOf({ name }: ClusterNow): string {
  return `api/clusters/${encodeURIComponent(name)}`;
}

/** Without what was not given. */
function given(flags: Chosen['flags']): Record<string, string | true> {
  const entries = Object.entries(flags).filter(([, value]) => value !== false && value !== '');
  return Object.fromEntries(entries) as Record<string, string | true>;
}

let forms: Promise<readonly ActForm[]> | null = null;

/** What the tool takes for a command; null until it is known. */
function useForm(command: string): ActForm | null {
  const [form, setForm] = useState<ActForm | null>(null);
  useEffect(() => {
    forms ??= fetch('api/forms').then(async (response) => (await response.json()) as ActForm[]);
    void forms
      .then((all) => setForm(all.find((one) => one.command === command) ?? null))
      .catch(() => void (forms = null));
  }, [command]);
  return form;
}

/** The plan as the server makes it; null until it is there, or while nothing is asked. */
function usePlan(cluster: string, request: string | null): Plan | null {
  const [plan, setPlan] = useState<{ readonly of: string; readonly plan: Plan } | null>(null);
  useEffect(() => {
    if (request === null) return undefined;
    let isOver = false;
    const timer = setTimeout(
      () =>
        void askForPlan(cluster, request).then((made) => (isOver ? undefined : setPlan({ of: request, plan: made }))),
      plan === null ? 0 : SETTLE_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // The plan itself is only asked whether it is the first.
  }, [cluster, request]);
  return plan?.of === request ? plan.plan : null;
}

/** Where the server has none, the reason stands in its place. */
async function askForPlan(cluster: string, request: string): Promise<Plan> {
  try {
    const response = await post(`api/clusters/${encodeURIComponent(cluster)}/plans`, JSON.parse(request));
    return (await response.json()) as Plan;
  } catch (thrown) {
    const refusal = thrown instanceof Error ? thrown.message : String(thrown);
    return { id: '', title: '', steps: [], notes: [], afterwards: [], refusal };
  }
}
