/**
 * On the page for what is not found: a place for the addresses that nearly match. The page script fills it
 * from the links of the menu, which are in the document already; without JavaScript the menu itself helps.
 */
import type { ReactElement } from 'react';

export function Nearest(): ReactElement {
  return (
    <section data-nearest hidden aria-live="polite">
      <h2 id="nearly">Nearly matched</h2>
      <ul />
    </section>
  );
}
