import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { casesQuery } from '../../api/queries.ts';
import { OptionField } from '../../ui/option-field.tsx';

const NewCase = lazy(async () => ({ default: (await import('./new-case.tsx')).NewCase }));

interface CaseFieldProps {
  readonly value: number | null;
  readonly onChange: (caseId: number | null) => void;
}

/** The case that jobs are put in, which can be made here. */
export function CaseField({ value, onChange }: CaseFieldProps) {
  const [isNew, setNew] = useState(false);
  const { data = [] } = useQuery(casesQuery);
  const choose = (option: string) => {
    if (option === 'new') setNew(true);
    else onChange(option === '' ? null : Number(option));
  };
  const opened = (caseId: number) => {
    onChange(caseId);
    setNew(false);
  };
  return (
    <>
      <OptionField
        label="Case"
        value={value ?? ''}
        options={[
          ['', 'No case'],
          ...data.map(({ id, name, is_shared: shared }) => [id, shared ? `${name} (shared)` : name] as const),
          ['new', 'New case…'],
        ]}
        onChange={choose}
      />
      {isNew && (
        <Suspense>
          <NewCase onClose={() => setNew(false)} onOpened={opened} />
        </Suspense>
      )}
    </>
  );
}
