import { compatibleWorkflows } from '@svc/contracts';
import { logTypeLabels, type LogType } from '@svc/domain';
import type { ComponentType, ReactNode } from 'react';
import { useMe } from '../../api/session.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { FlagField, OptionField } from '../../ui/option-field.tsx';
import { SignInLink } from '../../ui/sign-in-link.tsx';
import { submissionQueue, useSubmissions } from './queue-store.ts';
import styles from './submission-options.module.css';
import type { Options } from './submission.ts';
import type { CommonOptionsProps, OwnOptionsProps } from './option-parts.ts';

const types = (Object.keys(logTypeLabels) as LogType[]).filter((type) => type !== 'unknown');

function changeAll(choice: Partial<Options>): void {
  submissionQueue.chooseForAll(choice);
}

/** What members choose beside the rest: tags and a case. */
export interface MemberFieldsProps {
  readonly options: Pick<Options, 'tags' | 'caseId'>;
  readonly onChange: (choice: Partial<Pick<Options, 'tags' | 'caseId'>>) => void;
}

interface Fillable {
  /** Comes from outside, as tags and cases are not of this feature. */
  readonly MemberFields: ComponentType<MemberFieldsProps>;
}

/** How all files are submitted that are not said to differ. */
export function CommonOptions({ home, options, several, MemberFields }: CommonOptionsProps & Fillable) {
  return (
    <section className={styles.options} aria-label={several ? 'Options for all files' : 'Options'}>
      <div className={styles.fields}>
        {several && (
          <>
            <OptionField
              label="Type"
              value={options.type ?? ''}
              options={[['', 'As detected'], ...types.map((type) => [type, logTypeLabels[type]] as const)]}
              onChange={(type) => changeAll({ type: type === '' ? null : (type as LogType), workflow: null })}
            />
            <OptionField
              label="Workflow"
              value={options.workflow ?? ''}
              options={[
                ['', 'Fitting the type'],
                ...compatibleWorkflows(home.workflows, options.type).map(({ id, name }) => [id, name] as const),
              ]}
              onChange={(id) => changeAll({ workflow: id === '' ? null : Number(id) })}
            />
          </>
        )}
        {home.can_group_cases && <MemberFields options={options} onChange={changeAll} />}
      </div>
      <Flags options={options} onChange={changeAll} />
    </section>
  );
}

/** How one file is submitted where it differs from the others. */
export function OwnOptions({ home, submission, MemberFields }: OwnOptionsProps & Fillable) {
  const { options } = useSubmissions();
  const { key, file, own } = submission;
  const changeOwn = (choice: Partial<Options>) => submissionQueue.choose(key, choice);
  const effective = { ...options, ...own };
  return (
    <section className={styles.own} aria-label={`Options of ${file.name}`}>
      {home.can_group_cases && (
        <div className={styles.fields}>
          <MemberFields options={effective} onChange={changeOwn} />
        </div>
      )}
      <Flags options={effective} onChange={changeOwn}>
        <LinkButton
          className={styles.reset}
          disabled={Object.keys(own).length === 0}
          onClick={() => submissionQueue.choose(key, null)}
        >
          As all others
        </LinkButton>
      </Flags>
    </section>
  );
}

interface FieldsProps {
  readonly options: Options;
  readonly onChange: (choice: Partial<Options>) => void;
}

function Flags({ options, onChange, children }: FieldsProps & { children?: ReactNode }) {
  const me = useMe();
  return (
    <div className={styles.flags}>
      {me === null ? (
        <span className={styles.note}>
          Everyone here can read these reports. <SignInLink /> to submit privately.
        </span>
      ) : (
        <FlagField
          label="Private"
          hint={
            'Only you and administrators read the report.\nValues found in it count in Intel totals, unless the site leaves them out.'
          }
          checked={options.isPrivate}
          onChange={(isPrivate) => onChange({ isPrivate })}
        />
      )}
      <FlagField
        label="Analyse again if known"
        hint="Makes a new job even where these bytes were analysed before"
        checked={options.force}
        onChange={(force) => onChange({ force })}
      />
      {children}
    </div>
  );
}
