/** What the scripts here use of k6 (v1): its own JavaScript runtime is neither Node nor Bun. */
declare const __ENV: Readonly<Record<string, string | undefined>>;
/** Text of a file, read while the script loads. */
declare function open(path: string): string;

declare module 'k6' {
  export function check<T>(value: T, checks: Readonly<Record<string, (value: T) => boolean>>): boolean;
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
    post(url: string, body: string, params: { readonly headers: Readonly<Record<string, string>> }): K6Response;
  };
  export default http;
}
