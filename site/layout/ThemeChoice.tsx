/** The choice of theme, in words. It needs JavaScript to be remembered, so it is not shown without. */
import type { ReactElement } from 'react';

export function ThemeChoice({ className }: { className: string | undefined }): ReactElement {
  return (
    <label className={className} data-needs-script>
      <span className="unseen">Theme</span>
      <select data-theme-choice defaultValue="system" autoComplete="off">
        <option value="system">System theme</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
