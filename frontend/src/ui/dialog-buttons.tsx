import { Button } from '@mantine/core';

interface DialogButtonsProps {
  readonly words: string;
  readonly pending: boolean;
  /** What was asked for is not yet there. */
  readonly disabled?: boolean;
  readonly dangerous?: boolean;
  readonly onClose: () => void;
}

/** The answer to a dialog's question, and the way back. */
export function DialogButtons({ words, pending, disabled = false, dangerous = false, onClose }: DialogButtonsProps) {
  return (
    <>
      <Button type="submit" loading={pending} disabled={disabled} {...(dangerous && { color: 'red.9' })}>
        {words}
      </Button>
      <Button variant="default" onClick={onClose} {...(dangerous && { 'data-autofocus': true })}>
        Cancel
      </Button>
    </>
  );
}
