import { type Printed, readCommandLine } from '../command-line.ts';

export interface DoctorCommand {
  readonly name: 'doctor';
  readonly json: boolean;
  /** Also tell of what is well. */
  readonly verbose: boolean;
}

/** Reads the arguments after `svc doctor`; throws a `UsageError`. */
export function parseDoctorCommand(argv: readonly string[]): DoctorCommand | Printed {
  return readCommandLine<DoctorCommand>('svc doctor', argv, (program, take) => {
    program
      .description(
        'Looks at everything that the service of this machine needs, whether it runs or not, and says of each problem what mends it. It makes and changes nothing but a file that it removes again.',
      )
      .usage('[options]')
      .option('--json', 'print what was found as JSON', false)
      .option('-v, --verbose', 'also tell of what is well', false)
      .addHelpText(
        'after',
        `
The settings are those of the environment, as for the service: DATABASE_URL, or the folder
DATA_DIR [./data]. Run it as the account that the service runs as.

Exit code: 0 when the service is ready, be it with warnings, 1 when it is not, 2 when the
command line cannot be understood or this account may not look.`,
      )
      .action(({ json, verbose }) => take({ name: 'doctor', json, verbose }));
  });
}
