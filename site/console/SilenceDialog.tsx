/** Silences an alarm for a while, with a reason. Esc closes it, Tab stays inside. */
import { useState, type FormEvent, type ReactElement } from 'react';
import { Dialog } from '@base-ui/react/dialog';
import { post } from './live.ts';
import styles from './AlarmsPage.module.css';

export interface SilenceDialogProps {
  readonly cluster: string;
  readonly text: string;
  readonly close: () => void;
}

export function SilenceDialog({ cluster, text, close }: SilenceDialogProps): ReactElement {
  const [error, setError] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    try {
      await post(`api/clusters/${encodeURIComponent(cluster)}/silences`, {
        text,
        reason: String(given.get('reason')),
        hours: Number(given.get('hours')),
      });
      close();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <Dialog.Root defaultOpen onOpenChange={(isOpen) => void (isOpen || close())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <Dialog.Title>Silence this alarm</Dialog.Title>
          <Dialog.Description>
            {cluster}: {text}
          </Dialog.Description>
          <form onSubmit={(event) => void submit(event)}>
            <label>
              Reason
              <input className="control" name="reason" required maxLength={200} autoComplete="off" />
            </label>
            <label>
              For
              <select className="control" name="hours" defaultValue="1">
                <option value="1">1 hour</option>
                <option value="8">8 hours</option>
                <option value="24">1 day</option>
                <option value="168">7 days</option>
              </select>
            </label>
            {error !== '' && (
              <p className={styles.error} role="alert">
                {error}
              </p>
            )}
            <div className={styles.buttons}>
              <Dialog.Close className="word">Cancel</Dialog.Close>
              <button type="submit" className="act">
                Silence
              </button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
