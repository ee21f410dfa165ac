import { expect, test } from 'vitest';
import { packageFolder } from './bundled-packages.ts';

test.each([
  ['/x/node_modules/react/cjs/react.production.js', 'react'],
  ['/x/node_modules/@base-ui/react/esm/dialog/index.js?v=1', '@base-ui/react'],
  ['\0/x/node_modules/react/index.js?commonjs-module', 'react'],
  ['/x/node_modules/outer/node_modules/@in/ner/index.js', 'outer/@in/ner'],
  ['\0rolldown/runtime.js', 'rolldown'],
  ['\0vite/preload-helper.js', 'vite'],
  ['/x/site/page/main.ts', null],
  ['\0virtual:site/styles', null],
])('%j is of %j', (id, folder) => expect(packageFolder(id)).toBe(folder));
