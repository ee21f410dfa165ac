/**
 * The process's log: LogTape with one sink on standard output and geth's line forms. Fields go out in
 * the order given. Secrets never go in; as a second fence, credentials inside URLs are cut.
 */
import { configureSync, getLogger, type LogLevel as TapeLevel, type LogRecord } from '@logtape/logtape';
import type { LogLevel, Logger } from '#conductor/core/ports';
import { LineOutput } from './line-output.ts';
import { lineFormatter, type Line, type LineLevel, type LogFormat } from './logging-format.ts';

export interface LoggingOptions {
  readonly level: LineLevel;
  readonly format: LogFormat;
  readonly hasColor: boolean;
  /** Adds the process id to every line. */
  readonly hasPid: boolean;
}

const toTape: Readonly<Record<LineLevel, TapeLevel>> = {
  trace: 'trace',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  crit: 'fatal',
};
const fromTape = Object.fromEntries(Object.entries(toTape).map(([line, tape]) => [tape, line])) as Record<
  TapeLevel,
  LineLevel
>;

/** A logger that also has crit, for what a process logs when it cannot go on. */
export interface ProcessLogger extends Logger {
  crit(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Lines below this level are no longer written. */
  setLevel(level: LineLevel): void;
}

/** Configures logging of the whole process; may be called again. */
export function createLogger(options: LoggingOptions): ProcessLogger {
  configure(options);
  const logger = getLogger('conductor');
  return {
    log: (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      // Braces in a message are not placeholders: rawMessage is written, not the rendered one.
      if (level === 'debug') logger.debug(message, fields);
      else if (level === 'info') logger.info(message, fields);
      else if (level === 'warn') logger.warn(message, fields);
      else logger.error(message, fields);
    },
    crit: (message, fields = {}) => logger.fatal(message, fields),
    setLevel: (level) => configure({ ...options, level }),
  };
}

function configure(options: LoggingOptions): void {
  const format = lineFormatter(options.format, options.hasColor);
  const pid: [string, unknown][] = options.hasPid ? [['pid', process.pid]] : [];
  configureSync({
    reset: true,
    sinks: {
      output: (record: LogRecord) => {
        const fields = Object.entries(record.properties).map(
          ([key, value]) => [key, withoutCredentials(value)] as const,
        );
        const { timestamp, level, rawMessage } = record;
        writeLine((line) => format({ unixMs: timestamp, ...line, fields: [...pid, ...line.fields] }), {
          level: fromTape[level],
          message: rawMessage as string,
          fields,
        });
      },
    },
    loggers: [
      { category: 'conductor', sinks: ['output'], lowestLevel: toTape[options.level] },
      { category: ['logtape', 'meta'], sinks: ['output'], lowestLevel: 'error' },
    ],
  });
}

type LogLine = Omit<Line, 'unixMs'>;

let output: LineOutput | null = null;
/** Lines that were not taken since the last one that was. */
let dropped = 0;

/** Synchronous, so that the last line before an exit is not lost; a full or closed pipe is no reason to wait, or to die. */
function writeLine(format: (line: LogLine) => string, line: LogLine): void {
  output ??= new LineOutput();
  if (dropped > 0) {
    const message = 'log lines were dropped: whoever reads them is too slow';
    if (output.write(format({ level: 'warn', message, fields: [['lines', dropped]] }))) dropped = 0;
  }
  if (dropped > 0 || !output.write(format(line))) dropped += 1;
}

/** Replaces user and password of any URL in a text. */
export function withoutCredentials(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\b(\w+:\/\/)[^/\s@]+@/g, '$1***@') : value;
}
