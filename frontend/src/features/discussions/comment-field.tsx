import '@mantine/core/styles/Input.layer.css';
import { Textarea } from '@mantine/core';
import { commentLimits } from '@svc/domain';
import { useState, type KeyboardEvent } from 'react';
import { count } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Written } from '../../ui/written.tsx';
import styles from './discussion.module.css';

interface FieldProps {
  readonly label: string;
  readonly text: string;
  readonly markdown: boolean;
  /** Takes the focus when it appears. */
  readonly focused?: boolean;
  readonly onChange: (text: string) => void;
  readonly onEscape?: () => void;
}

/** Where a comment is written; Ctrl Enter sends it. With Markdown it can be looked at before. */
export function CommentField({ label, text, markdown, focused = false, onChange, onEscape }: FieldProps) {
  const [preview, setPreview] = useState(false);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') onEscape?.();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || text.trim() === '') return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  const left = commentLimits.length - text.length;
  return (
    <div className={styles.field}>
      {preview && text.trim() !== '' ? (
        <div className={styles.preview} role="region" aria-label="Preview">
          <Written text={text} markdown />
        </div>
      ) : (
        <Textarea
          aria-label={label}
          placeholder={markdown ? 'Comment, in Markdown if you like' : 'Comment'}
          autosize
          minRows={3}
          maxRows={16}
          maxLength={commentLimits.length}
          value={text}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked to write here
          autoFocus={focused}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onKeyDown={press}
        />
      )}
      <div className={styles.under}>
        {markdown && text.trim() !== '' && (
          <LinkButton onClick={() => setPreview(!preview)}>{preview ? 'Write on' : 'Preview'}</LinkButton>
        )}
        {left < 500 && <span className="faint">{count(left)} characters left</span>}
      </div>
    </div>
  );
}
