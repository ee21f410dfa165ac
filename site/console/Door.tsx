/** What is shown to whoever has no session: where the link is, and a field for a token. */
import type { ReactElement } from 'react';
import { Mark } from '../layout/Mark.tsx';
import styles from './Door.module.css';

export function Door(): ReactElement {
  return (
    <main className={styles.door}>
      <h1>
        <Mark /> Conductor console
      </h1>
      <p>
        This console opens with the link that it prints when it starts. Each link works once; the next one is printed
        when it was used.
      </p>
      <form method="post" action="enter">
        <label htmlFor="token">Or with your token</label>
        <div className={styles.row}>
          <input id="token" className="control" name="token" type="password" autoComplete="off" required />
          <button type="submit" className="act">
            Open
          </button>
        </div>
      </form>
    </main>
  );
}
