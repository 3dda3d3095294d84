import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { refusalAt } from '../../ui/form-fields.ts';
import styles from './admin.module.css';
import { randomPassword } from './random-password.ts';

/** A password for someone else: typed or made up, and then to be copied and handed over. */
export function NewPassword({ error }: { error: Error | null }) {
  const [password, setPassword] = useState('');
  const [visible, setVisible] = useState(false);
  return (
    <div className={styles.password}>
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={password}
        visible={visible}
        onVisibilityChange={setVisible}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        error={refusalAt(error, 'weak_password')}
        description="At least 8 characters. It is not shown again, and no mail is sent: hand it over yourself."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      <Button
        variant="default"
        size="sm"
        onClick={() => {
          setPassword(randomPassword());
          setVisible(true);
        }}
      >
        Make one up
      </Button>
      {password !== '' && <CopyButton text={password} what="the password" className={styles.copy} />}
    </div>
  );
}
