/**
 * “Run it”: a form with the parameters of a JSON-RPC method, which a server of the cluster in the page answers with
 * the conductor's own classes. What a call changes is seen above it. Keyboard: the form is a form; Enter runs it.
 */
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ClusterView } from '../live-cluster/ClusterView.tsx';
import type { NodeFrame, PortAnswer, Sentence } from '../live-cluster/protocol.ts';
import { Said } from '../live-cluster/Said.tsx';
import { useWidth } from '../live-cluster/use-width.ts';
import { bodyOf, commandOf, firstText, laidOut, type Parameter } from './parameters.ts';
import { callPort, startOver, useClusterView } from '../live-cluster/page-cluster.ts';
import styles from './RunMethod.module.css';

export interface RunMethodProps {
  readonly method: string;
  readonly parameters: readonly Parameter[];
  /** Whether --rpc.enable-admin decides over it. */
  readonly admin: boolean;
}

export function RunMethod({ method, parameters, admin }: RunMethodProps): ReactNode {
  const { frame, strokes, sentences, refusal } = useClusterView();
  const [box, width] = useWidth();
  const [chosen, setChosen] = useState<number | null>(null);
  const [texts, setTexts] = useState(() => parameters.map(firstText));
  const [isAdminEnabled, setIsAdminEnabled] = useState(true);
  const [answer, setAnswer] = useState<PortAnswer | null>(null);
  const [saidBefore, setSaidBefore] = useState<number | null>(null);
  const latest = useRef(0);
  const leader = frame?.nodes.findIndex(({ role, presence }) => role === 'leader' && presence === 'up') ?? -1;
  const at = chosen ?? Math.max(0, leader);
  const body = bodyOf(method, parameters, texts);

  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const number = ++latest.current;
    // After its end the cluster is another one, whose sentences begin anew.
    setSaidBefore(frame?.ended === null ? (sentences.at(-1)?.id ?? 0) : 0);
    const next = await callPort({ at, body, isAdminEnabled });
    if (number === latest.current) setAnswer(next);
  };

  return (
    <section className={styles.run} aria-label={`Run ${method}`} data-run-method={method}>
      <div ref={box} className={styles.stage}>
        {frame === null && <p role="status">{refusal === '' ? 'The cluster is forming.' : refusal}</p>}
        {frame !== null && width > 0 && (
          <>
            <ClusterView frame={frame} strokes={strokes} width={width} selected={at} onSelect={setChosen} />
            <Said sentences={sentences} />
          </>
        )}
        {frame !== null && frame.ended !== null && <p role="status">{frame.ended} “Run” begins with a new cluster.</p>}
      </div>
      <div className={styles.sides}>
        <form onSubmit={(event) => void run(event)}>
          <ServerField nodes={frame?.nodes ?? []} at={at} onChoose={setChosen} />
          {parameters.map((parameter, index) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              text={texts[index] ?? ''}
              onChange={(text) => setTexts(texts.with(index, text))}
            />
          ))}
          {admin && (
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={isAdminEnabled}
                onChange={({ target }) => setIsAdminEnabled(target.checked)}
              />{' '}
              started with <code>--rpc.enable-admin</code>
            </label>
          )}
          <p className={styles.buttons}>
            <button type="submit" className={styles.go} disabled={frame === null}>
              Run
            </button>
            <button type="button" onClick={startOver}>
              New cluster
            </button>
          </p>
        </form>
        <Talk body={body} at={at} answer={answer}>
          {saidBefore !== null && <Since sentences={sentences.filter(({ id }) => id > saidBefore)} />}
        </Talk>
      </div>
    </section>
  );
}

/** Port of the first conductor that `npm start` runs; the others follow. */
const FIRST_PORT = 8547;
const FORMS = ['JSON', 'curl', 'cast'] as const;

interface TalkProps {
  readonly body: string;
  /** The server that is asked. */
  readonly at: number;
  readonly answer: PortAnswer | null;
  /** Below the answer. */
  readonly children: ReactNode;
}

/** What is sent, as such or as a command line, and what came back. */
function Talk({ body, at, answer, children }: TalkProps): ReactNode {
  const [form, setForm] = useState<(typeof FORMS)[number]>('JSON');
  return (
    <div className={styles.talk}>
      <p className={styles.label} role="group" aria-label="Show the call as">
        Call as{' '}
        {FORMS.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.as}
            aria-pressed={name === form}
            onClick={() => setForm(name)}
          >
            {name}
          </button>
        ))}
      </p>
      <pre tabIndex={0} aria-label="Call" data-call>
        {form === 'JSON' ? body : commandOf(form, body, FIRST_PORT + at)}
      </pre>
      <p className={styles.label}>Answer{answer === null ? '' : `, after ${answer.tookMs} ms`}</p>
      <pre tabIndex={0} aria-label="Answer" aria-live="polite" data-answer>
        {answer === null ? 'None yet.' : textOf(answer)}
      </pre>
      {children}
    </div>
  );
}

/** So many of the latest sentences. */
const SAID_MAX = 3;

/** What the cluster did since the call, for whoever has the picture above out of sight; Said announces the same. */
function Since({ sentences }: { readonly sentences: readonly Sentence[] }): ReactNode {
  const loud = sentences.filter(({ isLoud }) => isLoud).slice(-SAID_MAX);
  if (loud.length === 0) return null;
  return (
    <div aria-hidden="true" data-since>
      <p className={styles.label}>Since then</p>
      {loud.map(({ id, text }) => (
        <p key={id} className={styles.since}>
          {text}
        </p>
      ))}
    </div>
  );
}

function textOf({ text, tookMs }: PortAnswer): string {
  return text === null ? `No answer within ${tookMs} ms.` : laidOut(text);
}

interface ServerFieldProps {
  readonly nodes: readonly NodeFrame[];
  readonly at: number;
  readonly onChoose: (at: number) => void;
}

function ServerField({ nodes, at, onChoose }: ServerFieldProps): ReactNode {
  const id = useId();
  return (
    <p className={styles.field}>
      <label htmlFor={id}>Server</label>
      <select id={id} className="control" value={at} onChange={({ target }) => onChoose(Number(target.value))}>
        {nodes.map(({ name, role, presence }, index) => (
          <option key={name} value={index}>
            {`${name}, ${presence === 'up' ? role : presence}`}
          </option>
        ))}
      </select>
    </p>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function ParameterField({ parameter: { name, type }, text, onChange }: ParameterFieldProps): ReactNode {
  const id = useId();
  return (
    <p className={styles.field}>
      <label htmlFor={id}>
        <code>{name}</code> <span className={styles.type}>{type}</span>
      </label>
      {type === 'bool' ? (
        <select id={id} className="control" value={text} onChange={({ target }) => onChange(target.value)}>
          <option>true</option>
          <option>false</option>
        </select>
      ) : (
        <input
          id={id}
          className="control"
          value={text}
          spellCheck={false}
          autoComplete="off"
          inputMode={type === 'uint64' ? 'numeric' : 'text'}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </p>
  );
}
