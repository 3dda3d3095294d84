import { loadRules } from '@svc/engine';
import { analyzeFile, readRuleFiles } from '@svc/engine/node';

export async function report(log: string, ...ruleFolders: string[]): Promise<string[]> {
  const { rules, rejected } = loadRules(await readRuleFiles(ruleFolders));
  const { findings, problems } = await analyzeFile(log, { rules, logType: 'auto', maxSamples: 10 });
  return [
    ...rejected.map(({ path, line, message }) => `${path}:${line}: ${message}`),
    ...findings.map(({ severity, count, ruleName }) => `${severity} ${count} ${ruleName}`),
    ...problems.map(({ message, count }) => `${count} × ${message}`),
  ];
}
