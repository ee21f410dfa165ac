/**
 * Runs in the head, before anything is painted: the theme, the sign that scripts run, and the tabs chosen
 * earlier. `<tabs-end>` closes each group; when the parser meets it, the group's panels are complete.
 */
import { showStoredTab } from './tab-group.ts';
import { applyStoredTheme } from './theme.ts';

document.documentElement.dataset['js'] = '';
applyStoredTheme();
customElements.define(
  'tabs-end',
  class extends HTMLElement {
    connectedCallback(): void {
      if (this.parentElement !== null) showStoredTab(this.parentElement);
    }
  },
);
