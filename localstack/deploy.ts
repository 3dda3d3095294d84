import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import type { LocalStack } from './host-mode.ts';
import { run } from './run.ts';

/** LocalStack's only account. */
const account = '000000000000';

/**
 * Deploys the stacks of `infra/` as far as LocalStack's community edition knows them, by the CDK's own command
 * line; returns the environment variables that their outputs name.
 */
export async function deployStacks(
  { env: aws }: Pick<LocalStack, 'env'>,
  folder: string,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const tools = join(projectRoot(), 'infra/node_modules/.bin');
  const env = {
    ...aws,
    // No profile of the user's can lead this to an account of theirs.
    HOME: folder,
    PATH: [tools, process.env.PATH].join(delimiter),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
  const outputs = join(folder, 'outputs.json');
  const template = join(projectRoot(), 'localstack/bootstrap.yaml');
  // Where there is no app to synthesise first.
  const bootstrap = ['bootstrap', '--no-notices', '--template', template, `aws://${account}/${aws['AWS_REGION']}`];
  await run(join(tools, 'cdk'), bootstrap, { cwd: folder, env, signal });
  const quickly = ['--no-notices', '--require-approval', 'never', '--method', 'direct'];
  const places = ['--output', join(folder, 'cdk.out'), '--outputs-file', outputs];
  // The app by itself: of what it would build before, nothing is deployed here.
  const app = ['--app', 'tsx infra/bin/svc.ts'];
  const deploy = ['deploy', '--all', ...app, '--context', 'localstack=true', ...quickly, ...places];
  await run(join(tools, 'cdk'), deploy, { cwd: projectRoot(), env, signal });
  const stacks = JSON.parse(await readFile(outputs, 'utf8')) as Record<string, Readonly<Record<string, string>>>;
  const named = Object.values(stacks).flatMap(({ Environment: text }) => (text === undefined ? [] : [text]));
  return Object.assign({}, ...named.map((text) => JSON.parse(text) as Record<string, string>)) as Record<
    string,
    string
  >;
}
