import type { Template } from 'aws-cdk-lib/assertions';
import { synthesised } from './synth.ts';

type Json = Readonly<Record<string, unknown>>;

/** A resource of some template, with where it stands. */
export interface Resource {
  /** Stack and logical id, for messages. */
  readonly name: string;
  readonly type: string;
  readonly properties: Json;
  readonly deletionPolicy: unknown;
}

/** Every resource of every stack of this size. */
export function resourcesOf(size: string): readonly Resource[] {
  return Object.entries(synthesised({ size }).templates).flatMap(([stack, template]) => resourcesIn(stack, template));
}

/** Every resource of one template. */
export function resourcesIn(stack: string, template: Template): Resource[] {
  const resources = Object.entries((template.toJSON() as { Resources: Record<string, Json> }).Resources);
  return resources.map(([id, { Type, Properties = {}, DeletionPolicy }]) => ({
    name: `${stack}/${id}`,
    type: Type as string,
    properties: Properties as Json,
    deletionPolicy: DeletionPolicy,
  }));
}

/** One statement of a policy, its actions and resources as lists of text. */
export interface Statement {
  readonly name: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** What roles are allowed: of policies beside them, within them and of their own. */
export function allowedTo(resources: readonly Resource[]): Statement[] {
  return resources.flatMap(({ name, type, properties }) => {
    if (!/^AWS::IAM::(Policy|ManagedPolicy|Role)$/.test(type)) return [];
    const inline = (properties['Policies'] ?? []) as { PolicyDocument: Json }[];
    const documents = [properties['PolicyDocument'], ...inline.map(({ PolicyDocument }) => PolicyDocument)];
    return documents
      .flatMap((document) => ((document as Json | undefined)?.['Statement'] ?? []) as Json[])
      .filter(({ Effect }) => Effect === 'Allow')
      .map(({ Action, Resource }) => ({ name, actions: listOf(Action), resources: listOf(Resource) }));
  });
}

function listOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
}

/** Every value in it that is text, by the way to it: `Environment.Variables.PORT`. */
export function textsIn(value: unknown, path = ''): { path: string; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, path === '' ? key : `${path}.${key}`));
}
