/** Time, and the moment: play, step, speed, the address of exactly this, and how things stand in a line. */
import { useEffect, useId, useState } from 'react';
import { fragmentOf } from './link.ts';
import type { Command, Frame } from './protocol.ts';
import styles from './Transport.module.css';

const speeds = [
  { factor: 0.05, label: '1/20' },
  { factor: 0.25, label: '1/4' },
  { factor: 1, label: '1' },
  { factor: 4, label: '4' },
] as const;

const STEP_MS = 100;

export interface TransportProps {
  readonly frame: Frame;
  readonly send: (command: Command) => void;
  readonly startOver: () => void;
}

export function Transport({ frame, send, startOver }: TransportProps) {
  const { isPlaying, isReplaying, ended } = frame;
  const isStuck = isReplaying || ended !== null;
  return (
    <div className={styles.transport}>
      <div className={styles.controls} role="toolbar" aria-label="Time">
        <button
          type="button"
          className={styles.play}
          disabled={isStuck}
          onClick={() => send({ kind: isPlaying ? 'pause' : 'play' })}
        >
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <button type="button" disabled={isStuck} onClick={() => send({ kind: 'step', by: 'sentence' })}>
          Next event
        </button>
        <button type="button" disabled={isStuck} onClick={() => send({ kind: 'step', by: STEP_MS })}>
          +{STEP_MS} ms
        </button>
        <Speed send={send} />
        <Share frame={frame} send={send} />
        <button type="button" onClick={startOver}>
          Start over
        </button>
      </div>
      <p className={styles.clock}>
        <output className={styles.time} aria-label="Virtual time">
          {(frame.nowMs / 1000).toFixed(3)} s
        </output>
        <span>{frame.lawBroken === null ? `${frame.lawsHeld} laws hold` : `Law broken: ${frame.lawBroken}`}</span>
        <span>
          trace <code data-hash={isPlaying || isReplaying ? undefined : frame.hash}>{frame.hash}</code>
        </span>
      </p>
      {(isReplaying || ended !== null) && (
        <p className={styles.notice} role="status">
          {isReplaying ? 'Replaying to the moment of this address.' : ended}
        </p>
      )}
    </div>
  );
}

function Speed({ send }: Pick<TransportProps, 'send'>) {
  const id = useId();
  const [factor, setFactor] = useState(1);
  return (
    <span className={styles.speed}>
      <label htmlFor={id}>Speed</label>
      <select
        id={id}
        value={factor}
        onChange={({ target }) => {
          setFactor(Number(target.value));
          send({ kind: 'speed', factor: Number(target.value) });
        }}
      >
        {speeds.map((speed) => (
          <option key={speed.factor} value={speed.factor}>
            {speed.label}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Pauses first, so that what is copied is what is seen from then on. */
function Share({ frame, send }: Pick<TransportProps, 'frame' | 'send'>) {
  const [isAsked, setAsked] = useState(false);
  const [copied, setCopied] = useState<string | null>(null);
  const { isPlaying } = frame;
  const fragment = fragmentOf({ ...frame, trace: frame.hash });
  useEffect(() => {
    if (!isAsked || isPlaying) return;
    setAsked(false);
    navigator.clipboard.writeText(new URL(fragment, location.href).href).then(
      () => setCopied('Copied'),
      () => setCopied('Copy the address of this page'),
    );
  }, [isAsked, isPlaying, fragment]);
  const share = (): void => {
    if (isPlaying) send({ kind: 'pause' });
    setAsked(true);
  };
  return (
    <>
      <button type="button" disabled={frame.isReplaying} onClick={share} onBlur={() => setCopied(null)}>
        {copied ?? 'Copy link'}
      </button>
      <span className="unseen" role="status">
        {copied}
      </span>
    </>
  );
}
