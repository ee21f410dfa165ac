/**
 * A small file with secrets, read at start and again whenever it has changed, so that tokens are
 * replaced without a restart. A file that turns bad later changes nothing but the log: what was read
 * last stays in force. Its content goes nowhere but into the parser.
 */
import { readFileSync, statSync } from 'node:fs';
import { ConfigError, messageOf } from '#conductor/errors';
import type { Logger } from '#conductor/ports';

/** Largest file, bytes. */
const fileBytesMax = 1024 * 1024;
/** Permission bit: readable by every user of the machine. */
const readableByAll = 0o004;

export interface SecretFileOptions<Content> {
  /** For messages: the flag that names the file. */
  readonly flag: string;
  readonly path: string;
  readonly logger: Logger;
  /** Throws an Error whose message holds nothing of the text. */
  parse(text: string): Content;
  /** Called for what was read after the start. */
  reloaded(content: Content): void;
}

export class SecretFile<Content> {
  readonly #options: SecretFileOptions<Content>;
  #content: Content;
  /** States of the file, as `fingerprint` gives them: the one judged last, and the one seen at the last poll. */
  #judged: string;
  #seen: string;

  /** Reads the file; throws ConfigError when it cannot be used. */
  constructor(options: SecretFileOptions<Content>) {
    this.#options = options;
    this.#judged = this.#fingerprint();
    this.#seen = this.#judged;
    try {
      this.#content = this.#read();
    } catch (thrown) {
      throw new ConfigError(`--${options.flag}: ${options.path} cannot be used: ${messageOf(thrown)}`, {
        cause: thrown,
      });
    }
  }

  /** What is in force. */
  get content(): Content {
    return this.#content;
  }

  /** To be called now and then. A change counts when two polls have seen the same state, lest a half-written file be read. */
  poll(): void {
    const fingerprint = this.#fingerprint();
    const isSettled = fingerprint === this.#seen;
    this.#seen = fingerprint;
    if (!isSettled || fingerprint === this.#judged) return;
    this.#judged = fingerprint;
    const { flag, path, logger, reloaded } = this.#options;
    try {
      this.#content = this.#read();
    } catch (thrown) {
      logger.log('warn', 'a file with secrets has changed and cannot be used: what was read before stays in force', {
        flag,
        path,
        err: messageOf(thrown),
      });
      return;
    }
    logger.log('info', 'read a file with secrets again', { flag, path });
    reloaded(this.#content);
  }

  #read(): Content {
    const { flag, path, logger, parse } = this.#options;
    const status = statSync(path);
    if (!status.isFile()) throw new Error('it is not a file');
    if (status.size > fileBytesMax) throw new Error(`it has ${status.size} bytes, at most ${fileBytesMax} are read`);
    const content = parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
    if ((status.mode & readableByAll) !== 0) {
      logger.log('warn', 'every user of this machine can read a file with secrets: chmod 600 it', { flag, path });
    }
    return content;
  }

  /** Changes whenever the file does, or is replaced, or a link to it leads elsewhere. */
  #fingerprint(): string {
    try {
      const { ino, size, mtimeNs, ctimeNs } = statSync(this.#options.path, { bigint: true });
      return [ino, size, mtimeNs, ctimeNs].join(' ');
    } catch (thrown) {
      return messageOf(thrown);
    }
  }
}
