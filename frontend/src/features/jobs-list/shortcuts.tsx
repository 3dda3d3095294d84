import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import styles from './shortcuts.module.css';

const shortcuts: readonly (readonly [keys: readonly (readonly string[])[], deed: string])[] = [
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
  [[['mod', 'K']], 'Go to a page, a job, a file'],
  [[['mod', 'B']], 'Fold the rail'],
  [[['?']], 'This list'],
];

/** What the keyboard does on the jobs list. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.list}>
        {shortcuts.map(([ways, deed]) => (
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
    </Dialog>
  );
}
