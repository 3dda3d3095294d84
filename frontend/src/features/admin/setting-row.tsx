import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Checkbox, Switch, TextInput } from '@mantine/core';
import { operations, type SettingsForm } from '@svc/contracts';
import { activityCategories, type ActivityCategory } from '@svc/domain';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { showSiteSettings } from '../../api/admin.ts';
import { callConfirmed } from '../../api/confirm-password.ts';
import { count, sentence } from '../../ui/format.ts';
import { Failure } from '../../ui/form.tsx';
import styles from './settings-page.module.css';
import type { SettingText } from './site-setting-texts.ts';

/** A setting that is on or off, with what is to be known before it is turned on. */
export function SwitchRow(props: { text: SettingText; value: boolean; warnings: readonly string[] }) {
  const { text, value, warnings } = props;
  const save = useSave<boolean>(text);
  const id = useId();
  return (
    <Row text={text} id={id} save={save} warnings={warnings}>
      <Switch
        id={id}
        aria-describedby={`${id}-about`}
        checked={save.isPending ? save.variables : value}
        onChange={({ currentTarget }) => save.mutate(currentTarget.checked)}
      />
    </Row>
  );
}

/** A setting that is a number; it is saved by Enter and by leaving the field, and Esc takes it back. */
export function CountRow({ text, value, most }: { text: SettingText; value: number; most: number }) {
  const save = useSave<number>(text);
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const commit = () => {
    const wanted = (typed ?? '').trim();
    const isGood = /^\d{1,9}$/.test(wanted) && Number(wanted) >= 1 && Number(wanted) <= most;
    if (typed === null) return;
    setWrong(!isGood);
    if (!isGood) return;
    setTyped(null);
    if (Number(wanted) !== value) save.mutate(Number(wanted));
  };
  return (
    <Row text={text} id={id} save={save} wrong={isWrong && `This takes a whole number from 1 to ${count(most)}.`}>
      <TextInput
        id={id}
        className={styles.count}
        inputMode="numeric"
        autoComplete="off"
        aria-describedby={`${id}-about`}
        value={typed ?? String(save.isPending ? save.variables : value)}
        error={isWrong}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit();
          if (key !== 'Escape') return;
          setTyped(null);
          setWrong(false);
        }}
      />
    </Row>
  );
}

/** A setting that is a line of text; it is saved by Enter and by leaving the field, and Esc takes it back. */
export function TextRow({ text, value }: { text: SettingText; value: string }) {
  const save = useSave<string>(text);
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const commit = () => {
    if (typed !== null && typed.trim() !== value) save.mutate(typed.trim());
    setTyped(null);
  };
  return (
    <Row text={text} id={id} save={save}>
      <TextInput
        id={id}
        className={styles.text}
        autoComplete="off"
        aria-describedby={`${id}-about`}
        maxLength={text.most}
        placeholder={text.example}
        value={typed ?? (save.isPending ? save.variables : value)}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit();
          if (key === 'Escape') setTyped(null);
        }}
      />
    </Row>
  );
}

/** A setting that names kinds of activity; none for all. */
export function KindsRow(props: {
  text: SettingText;
  value: readonly ActivityCategory[];
  kinds: SettingsForm['categories'];
}) {
  const { text, value, kinds } = props;
  const save = useSave<readonly ActivityCategory[]>(text);
  const id = useId();
  const shown = save.isPending ? save.variables : value;
  return (
    <Row text={text} id={id} save={save}>
      <div id={id} role="group" aria-label={text.label} aria-describedby={`${id}-about`} className={styles.kinds}>
        {kinds.map(({ category: kind, actions }) => (
          <Checkbox
            key={kind}
            size="xs"
            label={sentence(kind)}
            description={actions}
            checked={shown.includes(kind)}
            onChange={({ currentTarget: { checked } }) =>
              save.mutate(activityCategories.filter((one) => (one === kind ? checked : shown.includes(one))))
            }
          />
        ))}
      </div>
    </Row>
  );
}

/** Sends the one setting alone: what others change meanwhile stays. */
function useSave<V extends boolean | number | string | readonly ActivityCategory[]>({ name }: SettingText) {
  return useMutation({
    mutationFn: (value: V) => callConfirmed(operations.changeSiteSettings, { [name]: value }),
    onSuccess: showSiteSettings,
  });
}

function Row(props: {
  text: SettingText;
  id: string;
  save: { readonly error: Error | null; readonly isSuccess: boolean };
  /** Why what was typed is not sent. */
  wrong?: string | false;
  warnings?: readonly string[];
  children: ReactNode;
}) {
  const { text, id, save, wrong = false, warnings = [], children } = props;
  return (
    <>
      <div className={styles.words}>
        <label htmlFor={id} className={styles.label}>
          {text.label}
        </label>
        <p id={`${id}-about`} className={styles.consequence}>
          {text.consequence}
        </p>
      </div>
      <span className={styles.saved} role="status">
        {save.isSuccess && (
          <>
            <IconCheck size={14} stroke={2} aria-hidden="true" /> Saved
          </>
        )}
      </span>
      <div className={styles.control}>{children}</div>
      {warnings.length > 0 && (
        <p className={styles.warning}>
          More threads may want to run than there are cores, which slows every analysis: {warnings.join('; ')}.
        </p>
      )}
      {wrong !== false && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      {save.error && (
        <div className={styles.failure}>
          <Failure error={save.error} />
        </div>
      )}
    </>
  );
}
