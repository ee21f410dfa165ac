/** The field to type in, which steers the list of results below it, and the keys it understands. */
import { Dialog } from '@base-ui/react/dialog';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { QUERY_LENGTH_MAX } from '../../search/answer.ts';
import { optionId } from './Results.tsx';
import styles from './Search.module.css';

export interface SearchFieldProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly query: string;
  /** How many results there are to choose from. */
  readonly options: number;
  /** Position of the chosen one, from 0. */
  readonly chosen: number;
  onType(query: string): void;
  onChoose(position: number): void;
  /** Enter, with the keys held as a click has them. */
  onFollow(keys: MouseEventInit): void;
}

export function SearchField({ ref, query, options, chosen, onType, onChoose, onFollow }: SearchFieldProps): ReactNode {
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || options === 0) return;
    const { key, ctrlKey, metaKey, shiftKey } = event;
    if (key === 'ArrowDown') onChoose((chosen + 1) % options);
    else if (key === 'ArrowUp') onChoose((chosen + options - 1) % options);
    else if (key === 'Enter') onFollow({ bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey });
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles['head']}>
        <input
          ref={ref}
          className={styles['input']}
          value={query}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={press}
          placeholder="Search"
          aria-label="Search the documentation"
          role="combobox"
          aria-expanded={options > 0}
          aria-controls={options > 0 ? 'search-results' : undefined}
          aria-autocomplete="list"
          aria-activedescendant={options > 0 ? optionId(chosen) : undefined}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={QUERY_LENGTH_MAX}
        />
        <Dialog.Close className={styles['close']}>Close</Dialog.Close>
      </div>
      <p className={styles['keys']} aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </p>
    </>
  );
}
