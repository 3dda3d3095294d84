import type { DeriveOptions } from '../derived/deriver.ts';

/** A little of everything that is derived: programs, users and one heuristic, `evil` in a command line. */
export const deriveSample: DeriveOptions = {
  groups: ['execution', 'impact'],
  entities: {
    fields: {
      ip: [],
      hash: [],
      executable: ['Image'],
      domain: [],
      command_line: ['CommandLine'],
      user: ['User'],
      service: [],
      task: [],
      computer: [],
    },
    ignoredUsers: [],
    commandLineExtensions: ['.exe', '.ps1'],
  },
  threats: [
    {
      key: 'words',
      label: 'Words',
      description: '',
      defaultSeverity: 'high',
      checks: [{ type: 'keyword_in_value', fields: ['CommandLine'], name: 'word', values: ['evil'] }],
    },
  ],
};
