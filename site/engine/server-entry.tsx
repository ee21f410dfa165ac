/**
 * The part of the engine that Vite builds: it renders a page's body in the frame to a whole document.
 * The engine imports the built file, so JSX and CSS modules need no loader of their own.
 */
import { runSync } from '@mdx-js/mdx';
import * as jsxRuntime from 'react/jsx-runtime';
import { prerender } from 'react-dom/static';
import type { ReactNode } from 'react';
import { Frame } from '../layout/Frame.tsx';
import { SearchPage, type LetterGroup } from '../layout/SearchPage.tsx';
import type { FigureText } from './outputs/figures.ts';
import type { FrameProps } from '../layout/frame-props.ts';
import { components } from '../mdx/components.ts';
import { figures } from '../mdx/figures/registry.ts';

/** Names that authors may use. */
export const componentNames: readonly string[] = Object.keys(components);

/** What figures say in words, by name. */
export const figureTexts: Readonly<Record<string, FigureText>> = figures;

/** The document of one page; `code` is that of its parts. Rejects with the first error of a component. */
export async function renderDocument(code: readonly string[], props: Omit<FrameProps, 'children'>): Promise<string> {
  const parts = code.map((part) => runSync(part, jsxRuntime).default);
  return framed(
    props,
    parts.map((Part, index) => <Part key={index} components={components} />),
  );
}

/** The document of `/search`. */
export function renderSearchDocument(
  letters: readonly LetterGroup[],
  props: Omit<FrameProps, 'children'>,
): Promise<string> {
  return framed(props, <SearchPage letters={letters} />);
}

async function framed(props: Omit<FrameProps, 'children'>, text: ReactNode): Promise<string> {
  let failure: unknown = null;
  const { prelude } = await prerender(<Frame {...props}>{text}</Frame>, {
    // React outlines content over 12.8 kB otherwise, and fills it in by an inline script.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      failure ??= error;
    },
  });
  const html = await new Response(prelude).text();
  if (failure !== null) throw failure;
  return html;
}
