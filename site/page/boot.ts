/** Runs before the first paint: a stored choice of theme is on the document when styles apply. */
const stored = localStorage.getItem('theme');
if (stored === 'light' || stored === 'dark') document.documentElement.dataset['theme'] = stored;
