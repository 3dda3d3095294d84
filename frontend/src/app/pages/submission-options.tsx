import { CaseField } from '../../features/cases/case-field.tsx';
import type { CommonOptionsProps, OwnOptionsProps } from '../../features/submissions/option-parts.ts';
import {
  CommonOptions as Common,
  OwnOptions as Own,
  type MemberFieldsProps,
} from '../../features/submissions/submission-options.tsx';
import { TagsField } from '../../features/tags/tags-field.tsx';

/** How all files are submitted, tags and a case among it. */
export function CommonOptions(props: CommonOptionsProps) {
  return <Common {...props} MemberFields={MemberFields} />;
}

/** How one file is submitted where it differs, tags and a case among it. */
export function OwnOptions(props: OwnOptionsProps) {
  return <Own {...props} MemberFields={MemberFields} />;
}

function MemberFields({ options, onChange }: MemberFieldsProps) {
  return (
    <>
      <TagsField value={options.tags} onChange={(tags) => onChange({ tags })} />
      <CaseField value={options.caseId} onChange={(caseId) => onChange({ caseId })} />
    </>
  );
}
