import type { Template } from 'aws-cdk-lib/assertions';

type Templates = Readonly<Record<string, Template>>;
interface Resource {
  readonly Type: string;
  readonly Properties?: { readonly GenerateSecretString?: { GenerateStringKey: string; SecretStringTemplate: string } };
}
interface Whole {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** What AWS might put in the place of a value of a template: good in form, and of nothing that exists. */
export function plausible(value: unknown, template: Template, all: Templates): string {
  if (typeof value === 'string') return value;
  const [[intrinsic, argument]] = Object.entries(value as Record<string, unknown>) as [[string, unknown]];
  switch (intrinsic) {
    case 'Fn::Join': {
      const [separator, parts] = argument as [string, unknown[]];
      return parts.map((part) => plausible(part, template, all)).join(separator);
    }
    case 'Fn::GetStackOutput':
      return told(argument as { StackName: string; OutputName: string }, all);
    case 'Fn::GetAtt': {
      const [id, attribute] = argument as [string, string];
      return attribute.endsWith('Port') ? '6379' : attribute.endsWith('Address') ? `${id}.example.internal` : id;
    }
    case 'Ref':
      return referenced(argument as string, template);
    default:
      throw new Error(`${intrinsic} has no plausible value yet`);
  }
}

function told({ StackName, OutputName }: { StackName: string; OutputName: string }, all: Templates): string {
  const template = all[StackName.replace(/^svc-/, '')];
  const output = (template?.toJSON() as Whole | undefined)?.Outputs?.[OutputName];
  if (!template || !output) throw new Error(`${StackName} tells no ${OutputName}`);
  return plausible(output.Value, template, all);
}

function referenced(id: string, template: Template): string {
  if (id === 'AWS::Region') return 'eu-central-1';
  const { Resources } = template.toJSON() as Whole;
  switch (Resources[id]?.Type) {
    case 'AWS::SQS::Queue':
      return `https://sqs.eu-central-1.amazonaws.com/123456789012/${id}`;
    case 'AWS::S3::Bucket':
      return id.toLowerCase();
    default:
      return id;
  }
}

/** The variables that the secrets hold which a function is told to read. */
export function variablesOfSecrets(ids: string, all: Templates): Record<string, string> {
  const secrets = Object.values(all).flatMap((template) => Object.entries((template.toJSON() as Whole).Resources));
  return Object.assign(
    {},
    ...ids.split(',').map((secretId) => {
      const [, secret] = secrets.find(([id]) => id === secretId) ?? [];
      const generated = secret?.Properties?.GenerateSecretString;
      if (!generated) throw new Error(`${secretId} is no secret of these stacks`);
      const beside = JSON.parse(generated.SecretStringTemplate) as Record<string, string>;
      return { ...beside, [generated.GenerateStringKey]: 'x'.repeat(64) };
    }),
  ) as Record<string, string>;
}
