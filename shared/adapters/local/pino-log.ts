import type { Log, LogFields } from '@svc/application/ports/log.ts';
import type { Environment } from '@svc/config';
import { pino, stdSerializers } from 'pino';
import { z } from 'zod';

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
    serializers: { error: stdSerializers.err },
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
  const trouble = stack === undefined ? '' : `\n  ${stack.replaceAll('\n', '\n  ')}`;
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join('')}${trouble}\n`;
}

function shown(value: LogFields[string]): string {
  return typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);
}
