// npm run check: formatting, lint with the import table, types, generated documents. Everything but the tests.
//   node scripts/check.mjs --format     formats instead (npm run format)
import { checkTool, ensureInstalled, run, tool } from './install.mjs';

if (process.argv.includes('--format')) {
  run(checkTool('oxfmt'), ['--write', '.']);
  process.exit();
}
ensureInstalled();
ensureInstalled('infra');
run(checkTool('oxfmt'), ['--check', '.']);
// The linter looks for its type-aware part in the folder that it checks, unless it is told.
const env = { ...process.env, OXLINT_TSGOLINT_PATH: checkTool('tsgolint') };
run(checkTool('oxlint'), ['--deny-warnings'], { env });
run(tool('tsc'), ['-p', '.']);
run(tool('tsc'), ['-p', 'frontend']);
run(tool('tsc'), ['-p', 'infra']);
run(process.execPath, ['scripts/docs.mjs', '--check']);
