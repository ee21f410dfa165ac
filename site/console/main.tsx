/** Entry of the console's page: the theme before anything is painted, the styles, and the one root. */
import { createRoot } from 'react-dom/client';
import { applyStoredTheme } from '../page/theme.ts';
import { App } from './App.tsx';

applyStoredTheme();
document.documentElement.dataset['js'] = '';
createRoot(document.querySelector('#root')!).render(<App />);
