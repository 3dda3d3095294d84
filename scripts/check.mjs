// npm run check: formatting, lint with the import table, types, generated documents. Everything but the tests.
import { ensureInstalled, run, tool } from './install.mjs';

ensureInstalled();
ensureInstalled('infra');
run(tool('oxfmt'), ['--check', '.']);
run(tool('oxlint'), ['--deny-warnings']);
run(tool('tsc'), ['-p', '.']);
run(tool('tsc'), ['-p', 'frontend']);
run(tool('tsc'), ['-p', 'infra']);
run(process.execPath, ['scripts/docs.mjs', '--check']);
