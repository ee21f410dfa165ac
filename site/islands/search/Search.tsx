/**
 * The search dialog. It opens when it is mounted and at the event `site-search`, and remembers what was typed.
 * Keyboard: typing searches; ↓ and ↑ choose, going round; Enter follows the chosen result, with Ctrl or ⌘ in a
 * new tab; Tab goes on to Close and to the parts of the site; Esc closes.
 */
import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useRef, useState, type MouseEvent, type ReactNode, type RefObject } from 'react';
import { AreaFilter } from './AreaFilter.tsx';
import { Beginning } from './Beginning.tsx';
import { addRecent, forgetRecent, readRecent } from './recent-searches.ts';
import { optionId, Results } from './Results.tsx';
import { SearchField } from './SearchField.tsx';
import { statusOf } from './status.ts';
import { useSearch } from './use-search.ts';
import styles from './Search.module.css';

const OPEN_EVENT = 'site-search';

export function Search(): ReactNode {
  const [isOpen, setIsOpen] = useState(true);
  /** Where to go once the dialog is gone and the page may scroll again. */
  const target = useRef<string | null>(null);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const open = (): void => {
      setIsOpen(true);
      input.current?.select();
    };
    // A page that comes back from the browser's memory comes without the dialog.
    const close = (): void => setIsOpen(false);
    document.addEventListener(OPEN_EVENT, open);
    addEventListener('pagehide', close);
    return () => {
      document.removeEventListener(OPEN_EVENT, open);
      removeEventListener('pagehide', close);
    };
  }, []);

  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={setIsOpen}
      onOpenChangeComplete={(nowOpen) => {
        if (nowOpen || target.current === null) return;
        goTo(target.current);
        target.current = null;
      }}
    >
      <Dialog.Portal keepMounted>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup
          className={styles['dialog']}
          initialFocus={input}
          finalFocus={() => target.current === null}
          data-print="no"
        >
          <Dialog.Title className="unseen">Search</Dialog.Title>
          <Content
            input={input}
            onFollow={(href) => {
              target.current = href;
              setIsOpen(false);
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Goes there. On the same page the heading takes the focus, so that the next Tab goes on from it. */
function goTo(href: string): void {
  location.assign(href);
  const { origin, pathname, hash } = new URL(href, location.href);
  if (origin !== location.origin || pathname !== location.pathname || hash === '') return;
  const heading = document.getElementById(decodeURIComponent(hash.slice(1)));
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

interface ContentProps {
  readonly input: RefObject<HTMLInputElement | null>;
  onFollow(href: string): void;
}

function Content({ input, onFollow }: ContentProps): ReactNode {
  const search = useSearch(document.body.dataset['searchSections'] ?? '');
  const [recent, setRecent] = useState(() => readRecent(localStorage));
  const [chosen, setChosen] = useState(0);
  const body = useRef<HTMLDivElement>(null);
  const { answer } = search;
  const options = answer?.results.reduce((sum, { hits }) => sum + hits.length, 0) ?? 0;

  const ask = (query: string, area: string | null): void => {
    setChosen(0);
    body.current?.scrollTo({ top: 0 });
    search.ask(query, area);
  };
  const option = (position: number): Element | null => body.current?.querySelector(`#${optionId(position)}`) ?? null;
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    setRecent(addRecent(localStorage, search.query));
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onFollow(event.currentTarget.href);
  };

  return (
    <>
      <SearchField
        ref={input}
        query={search.query}
        options={options}
        chosen={chosen}
        onType={(query) => ask(query, search.area)}
        onChoose={(position) => {
          setChosen(position);
          option(position)?.scrollIntoView({ block: 'nearest' });
        }}
        onFollow={(keys) => option(chosen)?.dispatchEvent(new window.MouseEvent('click', keys))}
      />
      <p className="unseen" role="status">
        {statusOf(search)}
      </p>
      <div className={styles['body']} ref={body}>
        {answer === null ? (
          <Beginning
            search={search}
            recent={recent}
            onAsk={(query) => {
              ask(query, search.area);
              input.current?.focus();
            }}
            onForget={() => {
              forgetRecent(localStorage);
              setRecent([]);
              input.current?.focus();
            }}
          />
        ) : (
          <>
            <AreaFilter answer={answer} onChoose={(area) => ask(search.query, area)} />
            <Results
              answer={answer}
              chosen={chosen}
              onChoose={setChosen}
              onFollow={follow}
              onEverywhere={() => {
                ask(search.query, null);
                input.current?.focus();
              }}
            />
          </>
        )}
      </div>
    </>
  );
}
