import { operations, type OutputOf } from '@svc/contracts';
import type { PackFiles } from '@svc/engine/node';
import { zipSync } from 'fflate';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { asFileError, FileError } from '../file-error.ts';
import { counted } from '../formats/text.ts';
import type { ImportRulesCommand } from '../service-arguments.ts';
import type { Service } from '../service/service.ts';
import { withService } from '../service/with-service.ts';
import type { Terminal } from '../terminal.ts';

/** The engine’s own; an import of it would break its bundle in two, which then runs slower. */
export type ReadPack = (path: string) => Promise<PackFiles>;

const mostBytes = 64 * 1024 * 1024;

type Imported = OutputOf<typeof operations.importRulePack>;

/** Puts a rule pack in force at a service; resolves to the exit code. */
export async function importRules(
  command: ImportRulesCommand,
  terminal: Terminal,
  readPack: ReadPack,
): Promise<number> {
  return withService(command, terminal, async (service, signal) => {
    const source = isUrl(command.source)
      ? { url: command.source }
      : { upload_id: await send(service, await packedBytes(command.source, readPack), command.source, signal) };
    const wish = {
      ...(command.packName !== undefined && { name: command.packName }),
      ...(command.packVersion !== undefined && { version: command.packVersion }),
    };
    const imported = await service.call(operations.importRulePack, { ...source, ...wish }, { signal });
    if (command.format === 'json') terminal.out(`${JSON.stringify(imported, null, 2)}\n`);
    else await tell(service, imported, terminal, signal);
    return 0;
  });
}

/** Sends an archive to a reserved upload; its id. */
async function send(service: Service, bytes: Uint8Array, path: string, signal: AbortSignal): Promise<string> {
  const filename = basename(path) || 'rules';
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const ticket = await service.call(
    operations.createUpload,
    { filename, size_bytes: bytes.length, sha256 },
    { signal },
  );
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  await service.put(ticket, { bytes: bytes.length, chunks }, signal);
  return ticket.upload_id;
}

/** An archive as it is, or a folder packed into one; throws a `FileError`. */
async function packedBytes(path: string, readPack: ReadPack): Promise<Uint8Array> {
  try {
    const entry = await stat(path);
    if (!entry.isDirectory()) {
      if (entry.size > mostBytes) throw new FileError(`${path}: a pack has 64 MiB at most`);
      return await readFile(path);
    }
    const { rules, licence, manifest, release } = await readPack(path);
    const texts = rules.map(({ path: name, text }) => [name, text] as const);
    const others = Object.entries({ LICENSE: licence, 'pack.json': manifest, 'version.txt': release });
    const files = [...texts, ...others].flatMap(([name, text]) => (text === null ? [] : [[name, Buffer.from(text)]]));
    return zipSync(Object.fromEntries(files) as Record<string, Uint8Array>);
  } catch (error) {
    if (error instanceof Error && error.name === 'PackError') {
      throw new FileError(`${path}: ${error.message}`, { cause: error });
    }
    throw error instanceof FileError ? error : asFileError(path, error);
  }
}

/** How many rejected rules are told of; the rest is in the report of the service. */
const mostTold = 20;

async function tell(service: Service, { pack, changed }: Imported, terminal: Terminal, signal: AbortSignal) {
  const { version, loaded, rejected, licence, dated_at: dated } = pack.in_force;
  const facts = [counted(loaded, 'rule'), `newest of ${dated}`, `licence: ${licence ?? 'not stated'}`].join(', ');
  terminal.out(`${pack.name} ${version} ${changed ? 'is in force' : 'was in force already'}: ${facts}\n`);
  if (rejected === 0) return;
  terminal.out(`${counted(rejected, 'rule')} rejected:\n`);
  const report = await service.call(operations.getRulePackReport, { name: pack.name }, { signal });
  for (const { path, line, message } of report.rejected.slice(0, mostTold)) {
    terminal.out(`  ${path}:${line}: ${message}\n`);
  }
  if (rejected > mostTold) terminal.out(`  and ${rejected - mostTold} more\n`);
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}
