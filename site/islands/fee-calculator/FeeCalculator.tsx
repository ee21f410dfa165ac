/**
 * The fee parameter calculator: what to set a chain's two fee scalars to. Results follow every
 * keystroke; the address names what differs from the start, so that it can be shared. Plain form
 * controls: Tab goes from field to field, arrows change a choice.
 */
import { Fragment, useEffect, useId, useState, type ReactNode } from 'react';
import { recommendFees, type FeeInputs, type FeeRecommendation } from './formula.ts';
import {
  complaintOf,
  complaintsOfQuery,
  fields,
  fromQuery,
  readInputs,
  startText,
  toQuery,
  type Field,
  type FormText,
} from './inputs.ts';
import styles from './FeeCalculator.module.css';
import { describeResult, pathNames } from './describe-result.ts';

const groups = [
  ['chain', 'Your chain'],
  ['prices', 'Prices'],
  ['batcher', 'Batcher and proposer'],
] as const;

/** While a field is being edited: what was good before. */
interface Edit {
  readonly id: string;
  readonly before: FormText;
}

export function FeeCalculator(): ReactNode {
  const [form, setForm] = useState<FormText>(() => fromQuery(location.search));
  /** The form that results and address stand for; half a number, or one with a mistake, is not in it. */
  const [good, setGood] = useState<FormText>(form);
  const [edit, setEdit] = useState<Edit | null>(null);
  const [refused, setRefused] = useState(() => complaintsOfQuery(location.search));
  const isStart = fields.every(({ id }) => form[id] === startText[id]);
  const wrong = fields.filter((field) => complaintOf(field, form[field.id] ?? '') !== null);

  useEffect(() => {
    const query = toQuery(good);
    history.replaceState(history.state, '', `${location.pathname}${query === '' ? '' : `?${query}`}${location.hash}`);
  }, [good]);

  const change = (id: string, text: string): void => {
    const next = { ...form, [id]: text };
    const before = edit?.id === id ? edit.before : good;
    setEdit({ id, before });
    setForm(next);
    setGood(readInputs(next) === null ? before : next);
    setRefused([]);
  };
  const reset = (): void => {
    setForm(startText);
    setGood(startText);
    setEdit(null);
    setRefused([]);
  };

  return (
    <form className={styles['form']} onSubmit={(event) => event.preventDefault()} noValidate>
      <div role="status">
        {refused.map((sentence) => (
          <p key={sentence} className={styles['refused']}>
            {sentence}
          </p>
        ))}
      </div>
      <div className={styles['calculator']} onBlur={() => setEdit(null)}>
        <div className={styles['inputs']}>
          {groups.map(([group, title]) => (
            <fieldset key={group} className={styles['group']}>
              <legend>{title}</legend>
              {fields
                .filter((field) => field.group === group)
                .map((field) => (
                  <FieldInput key={field.id} field={field} text={form[field.id] ?? ''} onChange={change} />
                ))}
            </fieldset>
          ))}
          <button type="button" className={styles['reset']} onClick={reset} disabled={isStart}>
            Start over
          </button>
          <Glance inputs={readInputs(good) as FeeInputs} />
        </div>
        <Results inputs={readInputs(good) as FeeInputs} wrong={wrong.map(({ label }) => label)} />
      </div>
    </form>
  );
}

interface FieldInputProps {
  readonly field: Field;
  readonly text: string;
  readonly onChange: (id: string, text: string) => void;
}

function FieldInput({ field, text, onChange }: FieldInputProps): ReactNode {
  const id = useId();
  const complaint = complaintOf(field, text);
  const shared = { id, name: field.id, value: text, className: 'control', 'aria-describedby': `${id}-hint` };
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{field.label}</label>
      {'options' in field ? (
        <select {...shared} onChange={(event) => onChange(field.id, event.target.value)}>
          {field.options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          inputMode={field.isWhole ? 'numeric' : 'decimal'}
          autoComplete="off"
          aria-invalid={complaint !== null}
          onChange={(event) => onChange(field.id, event.target.value)}
        />
      )}
      <p id={`${id}-hint`} className={complaint === null ? styles['hint'] : styles['complaint']}>
        {complaint ?? field.hint}
      </p>
    </div>
  );
}

/** On phones, at the window's foot while fields are edited: the result in a line. The recommendation tells it aloud. */
function Glance({ inputs }: { readonly inputs: FeeInputs }): ReactNode {
  const { dataPath, blobBaseFeeScalar, baseFeeScalar } = recommendFees(inputs);
  return (
    <p className={styles['glance']} aria-hidden="true">
      <strong>{pathNames[dataPath]}</strong>
      <span>blob {blobBaseFeeScalar}</span>
      <span>base {baseFeeScalar}</span>
    </p>
  );
}

interface ResultsProps {
  readonly inputs: FeeInputs;
  /** Names of the fields with mistakes; while there are any, `inputs` are the last without. */
  readonly wrong: readonly string[];
}

function Results({ inputs, wrong }: ResultsProps): ReactNode {
  const result = recommendFees(inputs);
  const text = describeResult(inputs, result);
  return (
    <section
      className={wrong.length === 0 ? styles['results'] : `${styles['results']} ${styles['stale']}`}
      aria-label="Recommendation"
      aria-live="polite"
    >
      {wrong.length > 0 && (
        <p className={styles['complaint']}>
          These results are for the last values that were in range. Correct{' '}
          {wrong.map((label) => `“${label}”`).join(' and ')} for new results.
        </p>
      )}
      <p className={styles['path']}>
        <span>Post data as</span> <strong>{pathNames[result.dataPath]}</strong>
      </p>
      <Scalars result={result} />
      {text.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className={styles['hint']}>{text.assumptions}</p>
    </section>
  );
}

function Scalars({ result }: { readonly result: FeeRecommendation }): ReactNode {
  const rows = [
    ['l1BlobBaseFeeScalar', result.blobBaseFeeScalar],
    ['l1BaseFeeScalar', result.baseFeeScalar],
  ] as const;
  return (
    <table className={styles['scalars']}>
      <thead>
        <tr>
          <th scope="col">Scalar</th>
          <th scope="col">Set it to</th>
          <th scope="col">As a factor</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{breakable(name)}</code>
            </th>
            <td>{value}</td>
            <td>{value / 1e6}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** May be broken before each part of a camelCase name. */
function breakable(name: string): ReactNode {
  return name.split(/(?=[A-Z])/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
}
