import { useQuery } from '@tanstack/react-query';

/** Names of ATT&CK techniques by id; loaded when they are first shown. */
const namesQuery = {
  queryKey: ['technique-names'],
  queryFn: async (): Promise<Readonly<Record<string, string>>> => (await import('./techniques.json')).default.names,
  staleTime: Number.POSITIVE_INFINITY,
};

export interface TechniqueNames {
  /** `Password Guessing` of `T1110.001`; undefined where it is not known, or not yet. */
  readonly own: (id: string) => string | undefined;
  /** `T1110.001 Brute Force: Password Guessing`; the id alone where no name is known. */
  readonly full: (id: string) => string;
}

export function useTechniqueNames(): TechniqueNames {
  const { data: names = {} } = useQuery(namesQuery);
  return {
    own: (id) => names[id],
    full: (id) => {
      const parent = id.includes('.') ? names[id.replace(/\..*$/, '')] : undefined;
      const name = [parent, names[id]].filter(Boolean).join(': ');
      return name === '' ? id : `${id} ${name}`;
    },
  };
}
