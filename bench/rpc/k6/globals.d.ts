/** What the scripts here use of k6 (v1): its own JavaScript runtime is neither Node nor Bun. */
declare const __ENV: Readonly<Record<string, string | undefined>>;
/** Text of a file, read while the script loads. */
declare function open(path: string): string;

declare module 'k6' {
  export function check<T>(value: T, checks: Readonly<Record<string, (value: T) => boolean>>): boolean;
  /** In seconds. */
  export function sleep(seconds: number): void;
}

declare module 'k6/data' {
  /** One copy for all users. */
  export class SharedArray {
    constructor(name: string, load: () => string[]);
    readonly [at: number]: string;
  }
}

declare module 'k6/execution' {
  const exec: { readonly scenario: { readonly iterationInTest: number } };
  export default exec;
}

declare module 'k6/http' {
  export interface K6Response {
    readonly status: number;
    readonly body: unknown;
  }
  const http: {
    post(
      url: string,
      body: string,
      params: { readonly headers: Readonly<Record<string, string>>; readonly timeout?: string },
    ): K6Response;
  };
  export default http;
}

declare module 'k6/metrics' {
  export class Counter {
    constructor(name: string);
    add(value: number): void;
  }
  export class Trend {
    constructor(name: string, isTime: boolean);
    add(value: number): void;
  }
}

declare module 'k6/websockets' {
  export class WebSocket {
    constructor(url: string);
    addEventListener(event: 'open', listener: () => void): void;
    addEventListener(event: 'message', listener: (message: { readonly data: string }) => void): void;
    close(): void;
  }
}
