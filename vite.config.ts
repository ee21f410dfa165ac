/// <reference types="vitest/config" />
/**
 * The one configuration of site, authoring server and tests. What each build adds is in site/engine/bundle.ts and
 * authoring-server.ts; the tests' part is loaded for Vitest alone, because it takes longer to load than all the rest.
 */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { sitePlugin } from './site/engine/site-plugin.ts';

export default defineConfig(async () => ({
  publicDir: 'site/public',
  plugins: [sitePlugin(import.meta.dirname), react()],
  // Documents are rendered by React's build for production, also while authors write, and that knows no other form.
  oxc: { jsx: { development: false } },
  // Workers are modules, and may await at their top.
  worker: { format: 'es' as const },
  ...(process.env['VITEST'] === undefined ? {} : { test: (await import('./scripts/test-projects.ts')).testProjects }),
}));
