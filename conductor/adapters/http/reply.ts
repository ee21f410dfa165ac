/** Answers to HTTP requests, and their bytes. */

/** `headers` are whole lines, each ending in CR LF; length, date and connection are added. */
export interface HttpReply {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  307: 'Temporary Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  505: 'HTTP Version Not Supported',
};

/** How the connection goes on after a reply; 'kept-old' tells an HTTP/1.0 client so. */
export type Persistence = 'kept' | 'kept-old' | 'closed';

const persistenceLines: Readonly<Record<Persistence, string>> = {
  kept: '',
  'kept-old': 'Connection: keep-alive\r\n',
  closed: 'Connection: close\r\n',
};

/** The text on the wire, to be written as UTF-8. `isHead`: the body is announced but not sent. */
export function renderReply(reply: HttpReply, persistence: Persistence, isHead: boolean): string {
  const { status, headers, body } = reply;
  const length = status === 204 ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const head = `HTTP/1.1 ${status} ${reasons[status] ?? 'Unknown'}\r\n${headers}Date: ${dateNow()}\r\n${length}${persistenceLines[persistence]}\r\n`;
  return isHead ? head : head + body;
}

/** A refusal below the level of routes, in the form of Go's server. */
export function plainRefusal(status: number, why: string): HttpReply {
  const body = `${status} ${reasons[status] ?? ''}: ${why}\n`;
  return { status, headers: 'Content-Type: text/plain; charset=utf-8\r\n', body };
}

let dateSecond = 0;
let dateText = '';

/** The date in HTTP's form, made once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
