/** The mark: five staff lines and one note, on the downbeat. Decoration beside the name, so silent. */
import type { ReactElement } from 'react';

const STAFF = [3.5, 7.5, 11.5, 15.5, 19.5];

export function Mark(): ReactElement {
  return (
    <svg className="mark" viewBox="0 0 32 23" width="32" height="23" aria-hidden="true">
      {STAFF.map((y) => (
        <line key={y} x1="0" x2="32" y1={y} y2={y} />
      ))}
      <ellipse cx="14" cy="13.5" rx="5.2" ry="3.7" transform="rotate(-22 14 13.5)" />
    </svg>
  );
}
