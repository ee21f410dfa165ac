/** The only module of site/page that knows React; it is loaded with the first island. */
import { createElement, startTransition, useEffect, type ComponentType, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/**
 * Replaces the element's static content by the component, once all of it is rendered, in pieces that leave a slow phone
 * time for its reader. Focus that was inside stays inside. Rejects with what the component throws meanwhile.
 */
export async function renderIsland(
  element: HTMLElement,
  Component: ComponentType<never>,
  props: string,
): Promise<void> {
  const given = JSON.parse(props) as never;
  let hadFocus = false;
  await new Promise<void>((resolve, reject) => {
    const Island = (): ReactNode => {
      hadFocus = element.contains(document.activeElement);
      // After the effects of what is inside: it hears events from here on.
      useEffect(resolve, []);
      return createElement(Component, given);
    };
    const root = createRoot(element, { onUncaughtError: reject });
    startTransition(() => root.render(createElement(Island)));
  });
  if (!hadFocus || element.contains(document.activeElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
