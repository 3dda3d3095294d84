import { currentLogFields, type Log, type LogFields } from '@svc/application/ports/log.ts';
import type { Environment } from '@svc/config';
import { pino } from 'pino';
import { z } from 'zod';
import { originalStack } from './original-stack.ts';

const levels = { DEBUG: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error' } as const;
const Line = z.looseObject({ level: z.string(), time: z.string(), message: z.string() });

/** The operator's log on standard error, as JSON lines or as text. */
export function pinoLog(environment: Pick<Environment, 'LOG_LEVEL' | 'LOG_FORMAT'>): Log {
  const options = {
    level: levels[environment.LOG_LEVEL],
    base: null,
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { error: described },
    // A copy: pino writes the line's own fields into it.
    mixin: () => ({ ...currentLogFields() }),
  };
  const text = environment.LOG_FORMAT === 'text';
  const write = (line: string): void => void process.stderr.write(text ? asText(line) : line);
  const log = pino(options, { write });
  return {
    debug: (message, fields) => log.debug(fields ?? {}, message),
    info: (message, fields) => log.info(fields ?? {}, message),
    warn: (message, fields) => log.warn(fields ?? {}, message),
    error: (message, fields) => log.error(fields ?? {}, message),
  };
}

/** `2026-08-01T10:15:00.000Z INFO  message key=value`, with an error's stack on lines of its own. */
function asText(line: string): string {
  const { level, time, message, error, ...fields } = Line.parse(JSON.parse(line));
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
  const { stack } = (error ?? {}) as { stack?: string };
  const said = stack ?? (error as { message?: string } | undefined)?.message;
  const trouble = said === undefined ? '' : `\n  ${said.replaceAll('\n', '\n  ')}`;
  return harmless(`${time} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join('')}${trouble}\n`);
}

function shown(value: LogFields[string]): string {
  return typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);
}

/** Callers’ text must not steer the operator’s terminal. */
function harmless(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}

/** What an error says of itself and of its causes; errors of libraries also carry rows, parameters and headers. */
function described(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name: type, message, cause } = error;
  // The message of a query's failure, as drizzle has it, repeats what was sent with it; its cause says what is wrong.
  if ('params' in error && cause instanceof Error) return described(cause);
  const stack = error.stack === undefined ? undefined : originalStack(error.stack);
  const { code } = error as { code?: unknown };
  const causes =
    cause instanceof Error ? `${stack}\ncaused by ${(described(cause) as { stack: string }).stack}` : stack;
  return { type, message, ...(typeof code === 'string' && { code }), stack: causes };
}
