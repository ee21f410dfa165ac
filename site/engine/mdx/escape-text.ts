/** Text as it stands between tags of HTML and SVG. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Words of a Mermaid diagram, which breaks lines with `<br>`, in one line. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/<br\s*\/?>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
