/**
 * What the reader does: to the whole cluster, or choose a server, then a verb; what is under way is a pressed button that
 * takes it back.
 */
import { useId } from 'react';
import type { Command, Frame } from './protocol.ts';
import { clusterVerbNames, clusterVerbs, verbNames, verbs, type VerbName } from './verbs.ts';
import { obstacle } from './obstacle.ts';
import styles from './Controls.module.css';

export interface ControlsProps {
  readonly frame: Frame;
  readonly selected: number;
  readonly onSelect: (node: number) => void;
  readonly send: (command: Command) => void;
}

export function Controls({ frame, selected, onSelect, send }: ControlsProps) {
  const name = useId();
  const node = frame.nodes[selected];
  const hasLeader = frame.nodes.some(({ role, presence }) => role === 'leader' && presence !== 'down');
  const reasonId = useId();
  const obstacles = new Map(
    verbNames
      .filter((verb) => node !== undefined && !node.verbs.includes(verb))
      .map((verb) => [verb, node === undefined ? null : obstacle(verb, node)]),
  );
  const reason = [...obstacles.values()].find((sentence) => sentence !== null);
  const isStuck = frame.isReplaying || frame.lawBroken !== null;
  return (
    <div className={styles.desk}>
      <div className={styles.all} role="group" aria-label="Do to the cluster">
        <button
          type="button"
          className={styles.regicide}
          disabled={isStuck || !hasLeader}
          onClick={() => send({ kind: 'act', verb: 'kill', at: 'leader' })}
        >
          Kill the leader
        </button>
        {clusterVerbNames.map((verb) => (
          <button
            key={verb}
            type="button"
            disabled={isStuck}
            data-cluster-verb={verb}
            onClick={() => send({ kind: 'actOnAll', verb })}
          >
            {clusterVerbs[verb].label}
          </button>
        ))}
      </div>
      <fieldset className={styles.servers}>
        <legend className="unseen">Server</legend>
        {frame.nodes.map((one, index) => (
          <label key={one.name} className={styles.server}>
            <input type="radio" name={name} checked={index === selected} onChange={() => onSelect(index)} />
            <span>{one.name}</span>
          </label>
        ))}
      </fieldset>
      <div
        className={styles.verbs}
        role="group"
        aria-label={`Do to ${node?.name ?? ''}`}
        aria-describedby={reason === undefined ? undefined : reasonId}
      >
        {verbNames.map((verb) => (
          <VerbButton
            key={verb}
            verb={verb}
            isUnderWay={node?.verbs.includes(verb) ?? false}
            isDisabled={isStuck || (obstacles.get(verb) ?? null) !== null}
            onPress={() => send({ kind: 'act', verb, at: selected })}
          />
        ))}
        {reason !== undefined && (
          <p id={reasonId} className={styles.reason}>
            {reason}
          </p>
        )}
      </div>
    </div>
  );
}

interface VerbButtonProps {
  readonly verb: VerbName;
  readonly isUnderWay: boolean;
  readonly isDisabled: boolean;
  readonly onPress: () => void;
}

function VerbButton({ verb, isUnderWay, isDisabled, onPress }: VerbButtonProps) {
  const { label, endLabel } = verbs[verb];
  return (
    <button
      type="button"
      disabled={isDisabled}
      data-verb={verb}
      data-under-way={isUnderWay || undefined}
      onClick={onPress}
    >
      {isUnderWay && endLabel !== null ? endLabel : label}
    </button>
  );
}
