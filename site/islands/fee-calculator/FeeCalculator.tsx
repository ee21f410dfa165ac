/**
 * The fee parameter calculator: what to set a chain's two fee scalars to. Results follow every
 * keystroke; the address names what differs from the start, so that it can be shared. Plain form
 * controls: Tab goes from field to field, arrows change a choice.
 */
import { Fragment, useEffect, useId, useState, type ReactNode } from 'react';
import { recommendFees, type FeeInputs, type FeeRecommendation } from './formula.ts';
import { complaintOf, fields, fromQuery, readInputs, startText, toQuery, type Field, type FormText } from './inputs.ts';
import styles from './FeeCalculator.module.css';
import { describeResult, pathNames } from './describe-result.ts';

const groups = [
  ['chain', 'Your chain'],
  ['prices', 'Prices'],
  ['batcher', 'Batcher and proposer'],
] as const;

export function FeeCalculator(): ReactNode {
  const [form, setForm] = useState<FormText>(() => fromQuery(location.search));
  const [lastGood, setLastGood] = useState<FeeInputs>(() => readInputs(form) ?? startInputs());
  const isStart = toQuery(form) === '';

  useEffect(() => {
    const query = toQuery(form);
    history.replaceState(history.state, '', `${location.pathname}${query === '' ? '' : `?${query}`}${location.hash}`);
  }, [form]);

  const change = (id: string, text: string): void => {
    const next = { ...form, [id]: text };
    setForm(next);
    const inputs = readInputs(next);
    if (inputs !== null) setLastGood(inputs);
  };
  const reset = (): void => {
    setForm(startText);
    setLastGood(startInputs());
  };

  return (
    <form className={styles['form']} onSubmit={(event) => event.preventDefault()} noValidate>
      <div className={styles['calculator']}>
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
        </div>
        <Results inputs={lastGood} isCurrent={readInputs(form) !== null} />
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

interface ResultsProps {
  readonly inputs: FeeInputs;
  /** Whether they are those of the form, or the last that were in range. */
  readonly isCurrent: boolean;
}

function Results({ inputs, isCurrent }: ResultsProps): ReactNode {
  const result = recommendFees(inputs);
  const text = describeResult(inputs, result);
  return (
    <section className={styles['results']} aria-label="Recommendation" aria-live="polite">
      <p className={styles['path']}>
        <span>Post data as</span> <strong>{pathNames[result.dataPath]}</strong>
      </p>
      <Scalars result={result} />
      {text.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className={styles['hint']}>{text.assumptions}</p>
      {!isCurrent && <p className={styles['complaint']}>For the last values that were in range.</p>}
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

function startInputs(): FeeInputs {
  return readInputs(startText) as FeeInputs;
}
