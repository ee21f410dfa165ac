/**
 * The parts of the site as a row of words, each with how many of its pages answer. Radio buttons: Tab reaches the
 * row, arrows change the part.
 */
import type { ReactNode } from 'react';
import type { SearchAnswer } from '../../search/answer.ts';
import styles from './Search.module.css';

export interface AreaFilterProps {
  readonly answer: SearchAnswer;
  /** null for the whole site. */
  onChoose(area: string | null): void;
}

export function AreaFilter({ answer, onChoose }: AreaFilterProps): ReactNode {
  const areas = [{ key: null, label: 'All', pages: answer.pagesEverywhere }, ...answer.areas];
  return (
    <fieldset className={styles['areas']}>
      <legend className="unseen">Part of the site</legend>
      {areas.map(({ key, label, pages }) => (
        <label key={label} className={pages === 0 ? styles['none'] : undefined}>
          <input
            className="unseen"
            type="radio"
            name="search-area"
            checked={answer.area === key}
            onChange={() => onChoose(key)}
          />
          <span>{label}</span> <span className={styles['count']}>{pages}</span>
        </label>
      ))}
    </fieldset>
  );
}
