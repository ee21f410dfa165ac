/**
 * The latest sentence, in the picture at once; screen readers hear it with what was said in between, and not before
 * they had time for the one before.
 */
import { useEffect, useRef, useState } from 'react';
import { announcementAfter } from './cluster-view.ts';
import type { Sentence } from './protocol.ts';
import { seconds } from './seconds.ts';
import styles from './Said.module.css';

/** Between two announcements. */
const QUIET_MS = 1500;

export function Said({ sentences }: { readonly sentences: readonly Sentence[] }) {
  const latest = sentences.findLast(({ isLoud }) => isLoud);
  return (
    <>
      <p className={styles.latest} aria-hidden="true">
        {latest === undefined ? 'All is well: a block per second.' : latest.text}
        {latest !== undefined && <span className={styles.when}>{seconds(latest.atMs)}</span>}
      </p>
      <p className="unseen" role="status" aria-live="polite" data-announced>
        {useAnnouncement(sentences)}
      </p>
    </>
  );
}

/** Loud sentences, gathered while the last announcement is still being read. */
function useAnnouncement(sentences: readonly Sentence[]): string {
  const [announced, setAnnounced] = useState('');
  const lastId = useRef(0);
  const current = useRef(sentences);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    current.current = sentences;
    // Another run counts anew.
    if ((sentences.at(-1)?.id ?? 0) < lastId.current) lastId.current = 0;
    if (timer.current !== null || announcementAfter(sentences, lastId.current) === '') return;
    const say = (): void => {
      const text = announcementAfter(current.current, lastId.current);
      lastId.current = current.current.at(-1)?.id ?? 0;
      timer.current = text === '' ? null : setTimeout(say, QUIET_MS);
      if (text !== '') setAnnounced(text);
    };
    say();
  }, [sentences]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return announced;
}
