/**
 * Refuses heads that two readers could understand differently and that the runtime lets through, before there is a route.
 * Bun.serve gives a repeated field as one list (RFC 9110, section 5.3), so a comma shows two Host fields, two
 * lengths or two codings.
 */
/** The characters of a host and port, names, addresses and escapes alike; a comma would be two of them. */
const hostName = /^[\w!$%&'()*+.:;=[\]~-]*$/;

/** The refusal of a request with such a head, null of all others; `refused` is told its status. */
export function whyMalformed({ headers }: Request, refused: (status: number) => void): Response | null {
  const problem = problemOf(headers);
  if (problem === null) return null;
  refused(problem.status);
  return refusal(problem.status, problem.why);
}

interface Problem {
  readonly status: 400 | 417;
  readonly why: string;
}

function problemOf(fields: Headers): Problem | null {
  const host = fields.get('host');
  if (host !== null && !hostName.test(host)) return { status: 400, why: 'malformed or repeated Host header' };
  const length = fields.get('content-length');
  if (length !== null && !/^\d{1,15}$/.test(length)) return { status: 400, why: 'repeated Content-Length header' };
  const coding = fields.get('transfer-encoding');
  if (coding !== null && coding.toLowerCase() !== 'chunked') return { status: 400, why: 'unknown transfer coding' };
  const expectation = fields.get('expect');
  if (expectation !== null && expectation.toLowerCase() !== '100-continue')
    return { status: 417, why: 'unknown expectation' };
  return null;
}

/** A refusal after which the connection ends: where the next request begins may not be certain. */
export function refusal(status: number, why: string): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' };
  return new Response(`${status}: ${why}\n`, { status, headers });
}
