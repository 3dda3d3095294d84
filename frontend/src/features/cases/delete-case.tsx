import { operations, type CaseDetails } from '@svc/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { useCaseDeed } from '../../api/cases.ts';
import { paths } from '../../paths.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';

const route = getRouteApi(paths.case);

/** Asks before a case goes, and says what goes with it. */
export function DeleteCase({ of, onClose }: { of: CaseDetails; onClose: () => void }) {
  const navigate = route.useNavigate();
  const remove = useCaseDeed(operations.deleteCase);
  const leave = () => void navigate({ to: paths.cases });
  return (
    <Dialog title="Delete this case?" onClose={onClose}>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate({ id: of.id }, { onSuccess: leave })}
        actions={<DialogButtons words="Delete case" pending={remove.isPending} dangerous onClose={onClose} />}
      >
        <p>
          <strong>{of.name}</strong>. This cannot be undone.
        </p>
        <ul className="soft">
          <li>Its narrative goes, with what it said before, and the notes of its links.</li>
          {of.comment_count > 0 && <li>So does its discussion, {counted(of.comment_count, 'comment')}.</li>}
          <li>
            Its {counted(of.job_count, 'job')} and {counted(of.entity_count, 'entity', 'entities')} stay.
          </li>
        </ul>
      </Form>
    </Dialog>
  );
}
