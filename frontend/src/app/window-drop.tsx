import { IconFileImport } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { filesOf } from '../features/submissions/dropped-files.ts';
import { takeFiles } from '../features/submissions/queue-store.ts';
import { paths } from '../paths.ts';
import styles from './window-drop.module.css';

/** Takes files dropped anywhere in the window, on every page. */
export function WindowDrop() {
  const [over, setOver] = useState(false);
  const navigate = useNavigate();
  useEffect(
    () =>
      watchDrops(setOver, (files) => {
        void navigate({ to: paths.submit });
        void takeFiles(files);
      }),
    [navigate],
  );
  if (!over) return null;
  return (
    <div className={styles.cover}>
      <div className={styles.sign}>
        <IconFileImport size={40} stroke={1.25} />
        <span>Drop to add these files</span>
      </div>
    </div>
  );
}

function watchDrops(setOver: (over: boolean) => void, take: (files: File[]) => void): () => void {
  let depth = 0;
  const handlers: Record<string, (event: DragEvent) => void> = {
    dragenter: () => setOver((depth += 1) > 0),
    dragleave: () => setOver((depth -= 1) > 0),
    dragover: () => undefined,
    drop: (event) => {
      depth = 0;
      setOver(false);
      if (event.dataTransfer) void filesOf(event.dataTransfer).then(take);
    },
  };
  const listener = (event: Event) => {
    if (!(event instanceof DragEvent) || !carriesFiles(event)) return;
    event.preventDefault();
    // A page may take files for a purpose of its own, at one place of it.
    if (document.querySelector('[data-own-drop]') === null) handlers[event.type]?.(event);
  };
  for (const type of Object.keys(handlers)) window.addEventListener(type, listener);
  return () => {
    for (const type of Object.keys(handlers)) window.removeEventListener(type, listener);
  };
}

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}
