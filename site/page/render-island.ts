/** The only module of site/page that knows React; it is loaded with the first island. */
import { createElement, type ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** Replaces the element's static content by the component. Focus that was inside stays inside. */
export function renderIsland(element: HTMLElement, Component: ComponentType, props: string): void {
  const hadFocus = element.contains(document.activeElement);
  const root = createRoot(element);
  const given: object = JSON.parse(props);
  flushSync(() => root.render(createElement(Component, given)));
  if (!hadFocus || element.contains(document.activeElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
