import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { givePassword, withholdPassword } from '../api/confirm-password.ts';
import { useMe } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { fieldText, refusalAt } from '../ui/form-fields.ts';
import { Form } from '../ui/form.tsx';

/** It may lie over another dialog, which Escape would close as well. */
const ownEscape = { 'data-mantine-stop-propagation': 'true' };

/** Asks for the password again before a sensitive operation. */
export function ConfirmPassword() {
  const me = useMe();
  const give = useMutation({ mutationFn: (form: FormData) => givePassword(fieldText(form, 'password')) });
  return (
    <Dialog title="Is it you?" held onClose={withholdPassword}>
      <p className="soft">
        Give your password again to go on. For the next 15 minutes you are not asked for it in this browser.
      </p>
      <div
        role="presentation"
        onKeyDown={({ key }) => {
          if (key === 'Escape') withholdPassword();
        }}
      >
        <Form
          error={give.error}
          atFields={['bad_password']}
          onSubmit={give.mutate}
          actions={
            <>
              <Button type="submit" loading={give.isPending} {...ownEscape}>
                Go on
              </Button>
              <Button variant="default" onClick={withholdPassword} {...ownEscape}>
                Cancel
              </Button>
            </>
          }
        >
          {/* Tells password managers whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={me?.email ?? ''} readOnly hidden />
          <PasswordInput
            label="Your password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            error={refusalAt(give.error, 'bad_password')}
            visibilityToggleButtonProps={ownEscape}
            {...ownEscape}
          />
        </Form>
      </div>
    </Dialog>
  );
}
