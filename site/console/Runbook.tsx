/** A section of the runbook, asked for when it is opened: paragraphs, numbered steps, commands. */
import { useState, type ReactElement, type ReactNode } from 'react';
import styles from './AlarmsPage.module.css';

export function Runbook({ code }: { readonly code: string }): ReactElement {
  const [text, setText] = useState<string | null>(null);
  const load = async (): Promise<void> => {
    const response = await fetch(`api/runbook/${encodeURIComponent(code)}`);
    setText(response.ok ? ((await response.json()) as { text: string }).text : 'The runbook has no section about it.');
  };
  return (
    <details
      className={styles.runbook}
      onToggle={({ currentTarget }) => void (currentTarget.open && text === null && load())}
    >
      <summary>What to do: {code}</summary>
      {text === null ? null : blocksOf(text).map((block, at) => <Block key={at} block={block} />)}
    </details>
  );
}

type Shape =
  | { readonly kind: 'code' | 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] };

/** Markdown of the runbook, as far as the runbook uses it. */
export function blocksOf(markdown: string): Shape[] {
  return markdown.split(/\n{2,}(?![^`]*```\n)/).map((part): Shape => {
    const fence = /^```\w*\n([\s\S]*?)\n?```$/.exec(part.trim());
    if (fence !== null) return { kind: 'code', text: fence[1] ?? '' };
    const lines = part.trim().split('\n');
    const isList = lines.every((line) => /^(\d+\.|-) /.test(line));
    if (isList) return { kind: 'list', items: lines.map((line) => line.replace(/^(\d+\.|-) /, '')) };
    return { kind: 'text', text: lines.join(' ') };
  });
}

function Block({ block }: { readonly block: Shape }): ReactElement {
  if (block.kind === 'code')
    return (
      <pre>
        <code>{block.text}</code>
      </pre>
    );
  if (block.kind === 'list')
    return (
      <ol>
        {block.items.map((item) => (
          <li key={item}>{inline(item)}</li>
        ))}
      </ol>
    );
  return <p>{inline(block.text)}</p>;
}

/** Code and emphasis; of a link its words, since the page has no network to follow it to. */
function inline(text: string): ReactNode[] {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part, at) => {
      if (part.startsWith('`')) return <code key={at}>{part.slice(1, -1)}</code>;
      if (part.startsWith('**')) return <strong key={at}>{part.slice(2, -2)}</strong>;
      return part;
    });
}
