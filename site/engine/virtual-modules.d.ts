/** Modules that the engine's Vite plugin makes up. */
declare module 'virtual:site/bodies' {
  import type { ComponentType } from 'react';

  /** The bodies of pages, by file. */
  export const bodies: Readonly<
    Record<string, () => Promise<{ readonly default: ComponentType<{ components: object }> }>>
  >;
}
