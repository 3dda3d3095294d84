import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cdk from '../../cdk.json' with { type: 'json' };
import { defineService } from '../service.ts';
import type { OperationsStack } from '../stacks/operations-stack.ts';
import type { ServiceStack } from '../stacks/service-stack.ts';

type Context = Readonly<Record<string, unknown>>;
type Installation = ReturnType<typeof synthesise>;

const made = new Map<string, Installation>();

/** Where each app in turn writes its templates. One for all: what the CDK knows of an asset, it knows by this path. */
const outdir = join(tmpdir(), `svc-cdk-${process.pid}`);

/** An app that hashes its assets, and copies none: images.test.ts looks at what is in them. */
function newApp(context: Context): App {
  return new App({ context: { ...cdk.context, ...context, [DISABLE_ASSET_STAGING_CONTEXT]: true }, outdir });
}

/** Every stack and its template, as `cdk synth` with this context writes it; made once for all tests. */
export function synthesised(context: Context = {}): Installation {
  const key = JSON.stringify(context);
  const before = made.get(key);
  if (before) return before;
  const installation = synthesise(context);
  made.set(key, installation);
  return installation;
}

function synthesise(context: Context, change?: Change) {
  const app = newApp(context);
  const { storage, onAws, settings, edgeLogs = null, engines = null, firewall = null } = defineService(app);
  if (onAws === null) throw new Error('use synthesisedLocally');
  const stacks = { storage, ...onAws };
  change?.(stacks);
  const { engines: enginesTemplate, ...templates } = templatesOf(app, {
    ...stacks,
    ...(engines && { engines }),
  });
  return { app, settings, edgeLogs, engines, enginesTemplate: engines && enginesTemplate, firewall, stacks, templates };
}

/** Puts something into the stacks that they do not have, as another release does. */
export type Change = (stacks: { readonly service: ServiceStack; readonly operations: OperationsStack }) => void;

/** The same with a change, made anew. */
export const synthesisedWith = (context: Context, change: Change): Installation => synthesise(context, change);

/** What LocalStack gets. */
export function synthesisedLocally(context: Context = {}) {
  const app = newApp({ ...context, localstack: true });
  const { storage, settings, queues } = defineService(app);
  if (queues === undefined) throw new Error('use synthesised');
  const stacks = { storage, queues };
  return { app, settings, stacks, templates: templatesOf(app, stacks) };
}

/** What the app of these stacks writes, which is away again afterwards. */
function templatesOf<S extends Record<string, Stack>>(app: App, stacks: S): Readonly<Record<keyof S, Template>> {
  const templates = Object.entries(stacks).map(([name, stack]) => [name, Template.fromStack(stack)] as const);
  // A template is read when somebody asks for it, and kept: those of other stacks, too.
  for (const { template, stackName } of app.synth().stacks) if (!template) throw new Error(`${stackName} is empty`);
  rmSync(outdir, { recursive: true, force: true });
  // The cast is safe: there is one entry per stack.
  return Object.fromEntries(templates) as Record<keyof S, Template>;
}
