#!/usr/bin/env node
// The AWS CDK of infra/package.json, whatever `npx cdk` would find elsewhere: synth | diff | deploy --all | destroy …
// What it deploys is made by scripts/cdk-app.mjs, which cdk.json names.
import { ensureInstalled, run, tool } from './install.mjs';

ensureInstalled('infra');
run(tool('cdk', 'infra'), process.argv.slice(2), { env: { CDK_DISABLE_CLI_TELEMETRY: 'true', ...process.env } });
