/** `--port` of the servers of the site: one rule, and one sentence for what breaks it. */

const PORT_MAX = 65_535;

/** The port, 0 for any that is free. Throws a sentence for what is none. */
export function portOption(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port > PORT_MAX) throw new Error(`--port is ${text}; it must be a port, or 0 for any.`);
  return port;
}
