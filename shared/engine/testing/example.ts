import { analyze, loadRules } from '@svc/engine';
import { fileSource, readRuleFiles } from '@svc/engine/node';

export async function report(log: string, ...ruleFolders: string[]): Promise<string[]> {
  const { rules, rejected } = loadRules(await readRuleFiles(ruleFolders));
  const source = await fileSource(log);
  try {
    const { findings } = await analyze(source, { rules, logType: 'auto', maxSamples: 10 });
    return [
      ...rejected.map(({ path, line, message }) => `${path}:${line}: ${message}`),
      ...findings.map(({ severity, count, ruleName }) => `${severity} ${count} ${ruleName}`),
    ];
  } finally {
    await source.close();
  }
}
