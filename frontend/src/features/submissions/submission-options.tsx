import { compatibleWorkflows, type Home } from '@svc/contracts';
import { logTypeLabels, type LogType } from '@svc/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { CaseField } from './case-field.tsx';
import { FlagField, OptionField } from './option-field.tsx';
import { submissionQueue, useSubmissions } from './queue-store.ts';
import styles from './submission-options.module.css';
import type { Options, Submission } from './submission.ts';
import { TagsField } from './tags-field.tsx';

const types = (Object.keys(logTypeLabels) as LogType[]).filter((type) => type !== 'unknown');

function changeAll(choice: Partial<Options>): void {
  submissionQueue.chooseForAll(choice);
}

/** How all files are submitted that are not said to differ. */
export function CommonOptions({ home, options, several }: { home: Home; options: Options; several: boolean }) {
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
        <MemberFields home={home} options={options} onChange={changeAll} />
      </div>
      <Flags options={options} onChange={changeAll} />
    </section>
  );
}

/** How one file is submitted where it differs from the others. */
export function OwnOptions({ home, submission }: { home: Home; submission: Submission }) {
  const { options } = useSubmissions();
  const { key, file, own } = submission;
  const changeOwn = (choice: Partial<Options>) => submissionQueue.choose(key, choice);
  const effective = { ...options, ...own };
  return (
    <section className={styles.own} aria-label={`Options of ${file.name}`}>
      {home.can_group_cases && (
        <div className={styles.fields}>
          <MemberFields home={home} options={effective} onChange={changeOwn} />
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

/** Tags and cases are for members. */
function MemberFields({ home, options, onChange }: FieldsProps & { home: Home }) {
  if (!home.can_group_cases) return null;
  return (
    <>
      <TagsField value={options.tags} onChange={(tags) => onChange({ tags })} />
      <CaseField value={options.caseId} onChange={(caseId) => onChange({ caseId })} />
    </>
  );
}

function Flags({ options, onChange, children }: FieldsProps & { children?: ReactNode }) {
  const me = useMe();
  return (
    <div className={styles.flags}>
      {me === null ? (
        <span className={styles.note}>
          Everyone here can read these reports. <Link to={paths.login}>Sign in</Link> to submit privately.
        </span>
      ) : (
        <FlagField
          label="Private"
          hint={'Only you and administrators read the report.\nValues found in it still count in Intel totals.'}
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
