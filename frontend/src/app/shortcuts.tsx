import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import styles from './shortcuts.module.css';

type Line = readonly [keys: readonly (readonly string[])[], deed: string];

const sections: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    'Everywhere',
    [
      [[['mod', 'K']], 'Go to a page, a job, a file; do something'],
      [[['mod', 'B']], 'Fold the rail'],
      [[['n']], 'Notifications'],
      [[['?']], 'This list'],
    ],
  ],
  [
    'Jobs',
    [
      [[['j'], ['↓']], 'Next job'],
      [[['k'], ['↑']], 'Previous job'],
      [[['Enter']], 'Open the job'],
      [[['x']], 'Select the job, or let it go'],
      [
        [
          ['Shift', 'x'],
          ['Shift', 'click'],
        ],
        'Select all from the last one to this one',
      ],
      [[['Esc']], 'Let go of all'],
      [[['t']], 'Tag the selected jobs'],
      [[['/']], 'Search jobs'],
    ],
  ],
  [
    'Report',
    [
      [[['j'], ['k']], 'Next finding, previous finding'],
      [[['/']], 'Filter the findings'],
      [[['r'], ['b'], ['e']], 'The finding is reviewed, benign, escalated; again takes it back'],
      [[['w']], 'Watch the job, or stop that'],
      [[['+'], ['−']], 'Zoom the timeline'],
      [[['←'], ['→']], 'Move along the timeline; close and open a process'],
      [[['0']], 'Whole timeline'],
    ],
  ],
  ['Guide', [[[['/']], 'Search the guide']]],
];

/** What the keyboard does, page by page. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {sections.map(([title, lines]) => (
        <section key={title} aria-label={title}>
          <h3 className={styles.title}>{title}</h3>
          <dl className={styles.list}>
            {lines.map(([ways, deed]) => (
              <div key={deed} className={styles.line}>
                <dt>{deed}</dt>
                <dd>
                  {ways.map((keys) => (
                    <span key={keys.join(' ')} className={styles.way}>
                      <span className="sr-only">{keys.join(' ')}</span>
                      <Kbd keys={keys} />
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
