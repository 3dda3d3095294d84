import type { AiProvider } from '@svc/domain';

/** What administrators say of a provider; a token is kept beside it. */
export type AiProviderFields = Omit<AiProvider, 'id' | 'isDefault' | 'hasToken' | 'createdAt' | 'updatedAt'>;

/** Providers of AI models; two of one name, in whatever case, are a `conflict`. */
export interface AiProviderStore {
  /** By name. */
  all(): Promise<readonly AiProvider[]>;
  get(id: number): Promise<AiProvider | null>;
  add(fields: AiProviderFields, at: Date): Promise<number>;
  change(id: number, fields: Partial<AiProviderFields>, at: Date): Promise<void>;
  /** The only one then. */
  makeDefault(id: number): Promise<void>;
  /** Null for none any more. */
  keepToken(id: number, sealed: string | null): Promise<void>;
  sealedToken(id: number): Promise<string | null>;
  /** Its runs stay. */
  remove(id: number): Promise<void>;
}

/** Where its token is kept, which is all that opens it. */
export function aiTokenPlace(id: number): string {
  return `ai_provider:${id}/api_token`;
}
