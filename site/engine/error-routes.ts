/**
 * Pages that answer an error: hosts look for them as plain files at the top. Nobody searches for them,
 * lists them or edits them from the page.
 */
export const ERROR_ROUTES: ReadonlySet<string> = new Set(['/404', '/500']);
