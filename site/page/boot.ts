/**
 * Runs in the head, before anything is painted: the theme, the sign that scripts run, what may be laid out later, and
 * the tabs chosen earlier. `<tabs-end>` closes each group; when the parser meets it, the group's panels are complete.
 */
import { beginSettling } from './settle.ts';
import { showStoredTab } from './tab-group.ts';
import { applyStoredTheme } from './theme.ts';

document.documentElement.dataset['js'] = '';
applyStoredTheme();
beginSettling();
customElements.define(
  'tabs-end',
  class extends HTMLElement {
    connectedCallback(): void {
      if (this.parentElement !== null) showStoredTab(this.parentElement);
    }
  },
);
