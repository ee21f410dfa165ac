/** What a change is about: servers, options, and of whom somebody has seen that it is down. Native controls: Tab, Space. */
import type { ReactElement } from 'react';
import type { ActForm, ActOption, ClusterNow } from '../../conductor/console/protocol.ts';
import styles from './ActDialog.module.css';

/** What was chosen so far. */
export interface Chosen {
  readonly words: readonly string[];
  /** By the key of the option; false or '' where it is not given. */
  readonly flags: Readonly<Record<string, string | boolean>>;
}

export interface ActFieldsProps {
  readonly form: ActForm;
  readonly who: string;
  readonly cluster: ClusterNow;
  readonly chosen: Chosen;
  readonly choose: (chosen: Chosen) => void;
}

export function ActFields({ form, who, cluster, chosen, choose }: ActFieldsProps): ReactElement {
  const ids = cluster.servers.map(({ id }) => id);
  const silent = cluster.servers.filter(({ state, why }) => !state.answers || why !== '').map(({ id }) => id);
  const set = (key: string, value: string | boolean): void =>
    choose({ ...chosen, flags: { ...chosen.flags, [key]: value } });
  const options = form.options.filter(({ key }) => key !== 'idle');
  return (
    <div className={styles.fields}>
      {(form.servers === 'one' || form.servers === 'any') && (
        <label>
          {who}
          <select
            className="control"
            value={chosen.words[0] ?? ''}
            onChange={({ target }) => choose({ ...chosen, words: target.value === '' ? [] : [target.value] })}
          >
            {form.servers === 'any' && <option value="">the fittest</option>}
            {ids.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      )}
      {form.servers === 'many' && (
        <Several
          legend={who}
          ids={ids}
          checked={chosen.words}
          set={(words) => choose({ ...chosen, words, flags: { ...chosen.flags, all: false } })}
        />
      )}
      {silent.length > 0 && (
        <Several
          legend="Seen to have ended, conductor and op-node"
          ids={silent}
          checked={String(chosen.flags['idle'] ?? '').split(',')}
          set={(names) => set('idle', names.join(','))}
        />
      )}
      {options.length > 0 && (
        <details>
          <summary>Options</summary>
          {options.map((option) => (
            <Option key={option.key} {...{ option, ids }} value={chosen.flags[option.key] ?? ''} set={set} />
          ))}
        </details>
      )}
    </div>
  );
}

interface SeveralProps {
  readonly legend: string;
  readonly ids: readonly string[];
  readonly checked: readonly string[];
  readonly set: (ids: string[]) => void;
}

function Several({ legend, ids, checked, set }: SeveralProps): ReactElement {
  return (
    <fieldset className={styles.several}>
      <legend>{legend}</legend>
      {ids.map((id) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={checked.includes(id)}
            onChange={({ target }) => set(ids.filter((one) => (one === id ? target.checked : checked.includes(one))))}
          />
          {id}
        </label>
      ))}
    </fieldset>
  );
}

interface OptionProps {
  readonly option: ActOption;
  readonly ids: readonly string[];
  readonly value: string | boolean;
  readonly set: (key: string, value: string | boolean) => void;
}

function Option({ option: { key, doc, value: kind }, ids, value, set }: OptionProps): ReactElement {
  if (kind === null)
    return (
      <label className={styles.switch}>
        <input type="checkbox" checked={value === true} onChange={({ target }) => set(key, target.checked)} />
        {sentence(doc)}
      </label>
    );
  if (kind === 'id')
    return (
      <label>
        {sentence(doc)}
        <select className="control" value={String(value)} onChange={({ target }) => set(key, target.value)}>
          <option value="">not said</option>
          {ids.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
    );
  return (
    <label>
      {sentence(doc)}
      <input
        className="control"
        value={String(value)}
        placeholder={kind}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => set(key, target.value)}
      />
    </label>
  );
}

function sentence(doc: string): string {
  return `${doc.slice(0, 1).toUpperCase()}${doc.slice(1)}`;
}
