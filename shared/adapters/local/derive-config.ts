import { AnalyticsFields, ThreatDetection } from '@svc/config';
import type { DeriveConfig } from '@svc/application/ports/report-config.ts';
import type { ThreatCategory, ThreatCheck } from '@svc/engine';
import { checkRegex } from '@svc/engine';
import { load } from 'js-yaml';
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';

/** Paths of the two files. */
export interface DeriveFiles {
  readonly analyticsFields: string;
  readonly threatDetection: string;
  /** Most matched events to look at. @default all */
  readonly maxEvents?: number | undefined;
}

/**
 * Reads what reports are derived by from the two files of resolved-platform 5.2 and 6. Rejects with a sentence that
 * names the file and what is wrong in it; without a file for threats none are looked for.
 */
export async function readDeriveConfig(files: DeriveFiles): Promise<DeriveConfig> {
  const { fields, ignored_users, command_line_extensions } = await read(files.analyticsFields, AnalyticsFields);
  const threats = await read(files.threatDetection, ThreatDetection).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ThreatDetection.parse({ categories: {} });
    throw error;
  });
  return {
    maxEvents: files.maxEvents,
    entities: { fields, ignoredUsers: ignored_users, commandLineExtensions: command_line_extensions },
    dgaRule: threats.dga_rule,
    threats: Object.entries(threats.categories).map(
      ([key, { label, description, default_severity, checks }]): ThreatCategory => ({
        key,
        label,
        description,
        defaultSeverity: default_severity,
        checks: checks.map((check) => checkOf(check, `${files.threatDetection}: ${key}`)),
      }),
    ),
  };
}

async function read<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
  const parsed = schema.safeParse(load(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`${path}: ${sentences.join('; ')}`);
}

function checkOf(check: ThreatDetection['categories'][string]['checks'][number], place: string): ThreatCheck {
  switch (check.type) {
    case 'regex':
      for (const { name, pattern } of check.patterns) {
        const problem = checkRegex(pattern, 'i');
        if (problem !== null) throw new Error(`${place}: the pattern ${name} ${problem}`);
      }
      return check;
    case 'keyword_in_value': {
      const { at_label_end: atLabelEnd, ...rest } = check;
      return { ...rest, atLabelEnd };
    }
    case 'entropy': {
      const { min_length: minLength, ...rest } = check;
      return { ...rest, minLength };
    }
    case 'masquerade': {
      const { system_binaries: systemBinaries, legitimate_paths: legitimatePaths, ...rest } = check;
      return { ...rest, systemBinaries, legitimatePaths };
    }
    case 'typosquat': {
      const { max_distance: maxDistance, min_length: minLength, ...rest } = check;
      return { ...rest, maxDistance, minLength };
    }
    default:
      return check;
  }
}
