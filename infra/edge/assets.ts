/** The built site as the platform gives it to the worker: files by their paths, with the headers that `_headers` asks for. */

export interface Assets {
  /** Answers by `_headers` and `_redirects`, and by wrangler.jsonc. Rejects when the platform fails. */
  fetch(request: Request): Promise<Response>;
}

/** The text of a file, by its path below the site's address `origin`. Throws an Error with a sentence without it. */
export async function textOf(assets: Assets, origin: string, path: string): Promise<string> {
  const response = await assets.fetch(new Request(new URL(path, origin).href));
  if (response.status === 200) return response.text();
  throw new Error(`The site's ${path} was answered with ${response.status}.`);
}
