/** What a picture of the guide shows. */
export interface Picture {
  /** For those who cannot see it: everything in it that the chapter does not say. */
  readonly alt: string;
  readonly caption: string;
  /** In pixels, as it is stored. */
  readonly height: number;
}

/** Pixels of every picture from side to side, as it is stored. */
export const pictureWidth = 1200;

/** Themes that every picture is there for: `images/NAME-THEME.webp`, made by `npm run guide:images`. */
export const pictureThemes = ['dark', 'light'] as const;
export type PictureTheme = (typeof pictureThemes)[number];

/** The pictures of the guide. */
export const pictures = {
  submit: {
    alt: 'The Submit page with four files, and beside each its type, its workflow, the worst finding with the number of others, and a bar of severities.',
    caption: 'Four files that were submitted together, each with its verdict.',
    height: 400,
  },
  jobs: {
    alt: 'The jobs list narrowed by the search sev:critical type:evtx, with the number of jobs found above the rows.',
    caption: 'EVTX logs with critical findings.',
    height: 400,
  },
  findings: {
    alt: 'A report: worst severity, matched events and rules at the top, the strip of tactics, the matches of each hour, the list of findings and beside it the chosen one.',
    caption: 'The report of a sample log, Intrusion on a workstation.',
    height: 750,
  },
  timeline: {
    alt: 'The timeline: a lane for each tactic, with markers in the colour of their severity where events matched.',
    caption: 'An hour of an intrusion, tactic by tactic.',
    height: 750,
  },
  attack: {
    alt: 'The ATT&CK matrix: a column for each tactic, with the techniques that were found and their numbers of events.',
    caption: 'The techniques of the same report.',
    height: 750,
  },
  processes: {
    alt: 'The process tree: processes indented below those that started them, with command lines, users and times, and a dot at those that a rule matched.',
    caption: 'From the attachment to what it started.',
    height: 750,
  },
  rulePacks: {
    alt: 'The page Rule packs: a card for each pack with its version, its number of rules, and a switch.',
    caption: 'The pack that comes with the service, and one of rules that were written here.',
    height: 400,
  },
  ruleEditor: {
    alt: 'The rule editor: the source of a rule, what the compiler says below it, and beside it the matches of a test, with what each part of the rule asks for and finds.',
    caption: 'A rule being written, tested on the logs of recent jobs.',
    height: 750,
  },
} as const satisfies Readonly<Record<string, Picture>>;
export type PictureName = keyof typeof pictures;

/** Name of the file that shows the picture in this theme. */
export function pictureFile(name: PictureName, theme: PictureTheme): string {
  return `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${theme}.webp`;
}
