/**
 * The few globals the core may use that ES2024 does not declare, because every host of the core
 * (Bun, browsers, Node ≥ 25) has them. tsconfig.core.json reads this file; everything else gets
 * them from Bun's types. Nothing that reads time, chance, files or sockets belongs here.
 */

/** UTF-8 encoder (WHATWG Encoding). */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
  /** `written` is the number of bytes, `read` the number of UTF-16 code units taken. */
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

/** UTF-8 decoder (WHATWG Encoding); with `fatal` it throws a TypeError on malformed input. */
declare class TextDecoder {
  constructor(label?: 'utf-8', options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBuffer | ArrayBufferView): string;
}

interface Uint8Array {
  /** Lower-case hex of all bytes (ES2026). */
  toHex(): string;
  /** Writes what the digits say, as far as there is room; throws as `fromHex` (ES2026). `read` counts digits. */
  setFromHex(hex: string): { read: number; written: number };
}

interface Uint8ArrayConstructor {
  /** Throws a SyntaxError unless the string is an even number of hex digits, without prefix (ES2026). */
  fromHex(hex: string): Uint8Array<ArrayBuffer>;
}

/** WebAssembly, as far as it is used: modules of a few kilobytes, compiled at once. */
declare const WebAssembly: {
  /** False also for a module that needs more than this engine has. */
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object) => { readonly exports: unknown };
};
