/**
 * What is wrong, shown to authors in the page: a list at its foot, or in its place when the page
 * cannot be shown at all.
 */
import { formatProblems, type Problem } from '../problems.ts';

/** A document with nothing but the problems. `scripts` are addresses of modules that look out for changes. */
export function problemDocument(title: string, problems: readonly Problem[], scripts: readonly string[]): string {
  const modules = scripts.map((script) => `<script type="module" src="${script}"></script>`).join('');
  return `<!DOCTYPE html><html lang="en-US"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${modules}</head><body><h1>${escapeHtml(title)}</h1>${problemPanel(problems, '')}</body></html>`;
}

const STYLE = [
  'position:sticky;inset-block-end:0;z-index:99;max-block-size:40vh;overflow:auto;margin:0;padding:12px 20px',
  'font:15px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText;border-block-start:3px solid #d4002a',
].join(';');

/** An element that lists the problems, those of `file` first; '' for none. */
export function problemPanel(problems: readonly Problem[], file: string): string {
  if (problems.length === 0) return '';
  const ofFile = problems.filter((problem) => problem.file === file);
  const others = problems.filter((problem) => problem.file !== file);
  const items = [...formatProblems(ofFile), ...formatProblems(others)].map((line) => `<li>${escapeHtml(line)}</li>`);
  return `<aside role="alert" aria-label="Problems" data-problems style="${STYLE}"><ul>${items.join('')}</ul></aside>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
