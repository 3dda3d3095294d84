import { Button } from '@mantine/core';
import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import { call, operations, type Me } from '@svc/contracts';
import { ownPackName } from '@svc/domain';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { packRuleQuery, refreshPacks } from '../../../api/rule-packs.ts';
import { checkRule } from '../../../api/try-rule.ts';
import { paths } from '../../../paths.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure, Form } from '../../../ui/form.tsx';
import { GuideLink } from '../../../ui/guide-link.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { YamlField } from '../../../ui/yaml-field.tsx';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { copyOf, newRule } from './rule-draft.ts';
import styles from './rule-editor.module.css';
import { markedLines, RuleProblems } from './rule-problems.tsx';
import { TestPanel } from './test-panel.tsx';

const route = getRouteApi(paths.ruleEditor);

/** A rule is written, compiled while it is, tested on logs, and saved into the pack of one's own. */
export function RuleEditorPage({ me }: { me: Me }) {
  const { pack, rule } = route.useSearch();
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const asked = useQuery({
    ...packRuleQuery(pack ?? '', rule ?? ''),
    enabled: rule !== undefined,
    // Another source would take the place of what is being written.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (asked.error) {
    return <ErrorState whole what="The rule cannot be opened" error={asked.error} retry={() => void asked.refetch()} />;
  }
  if (rule !== undefined && asked.data === undefined) return <Skeleton height={320} />;
  const isOwn = pack === ownPackName && rule !== undefined;
  const initial =
    asked.data === undefined
      ? newRule(me.display_name ?? me.email, today)
      : isOwn
        ? asked.data.source
        : copyOf(asked.data.source, rule!);
  return <Editor key={`${pack} ${rule}`} initial={initial} own={isOwn ? rule : undefined} />;
}

/** @param own id of the rule that is changed; undefined for a new one */
function Editor({ initial, own }: { initial: string; own: string | undefined }) {
  const navigate = route.useNavigate();
  const [text, setText] = useDraft(initial);
  const [removing, setRemoving] = useState(false);
  const [settled] = useDebouncedValue(text, 250);
  const { data: checked } = useQuery({
    queryKey: ['rule-check', settled],
    queryFn: ({ signal }) => checkRule(settled, signal),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const save = useMutation({
    mutationFn: () => call(operations.saveRule, { source: text, ...(own !== undefined && { rule_id: own }) }),
    onSuccess: async ({ rule_id: rule }) => {
      await refreshPacks();
      setText(initial);
      await navigate({ to: paths.packRules, params: { pack: ownPackName }, search: { rule } });
    },
  });
  const isSound = checked !== undefined && checked.rejected.length === 0 && checked.rules.length > 0;
  const [first] = checked?.rules ?? [];
  return (
    <>
      <title>Rule editor · svc</title>
      <PageHead title={own === undefined ? 'Write a rule' : `Change ${first?.title ?? 'a rule'}`}>
        <GuideLink chapter="rules" />
        <Link to={paths.rulePacks}>All packs</Link>
      </PageHead>
      <div className={styles.split}>
        <section className={`card ${styles.panel}`} aria-label="Rule">
          <YamlField
            id="rule-source"
            label="Source of the rule"
            value={text}
            marked={settled === text ? markedLines(checked) : new Map()}
            onChange={setText}
          />
          <RuleProblems checked={checked} />
          {save.error && <Failure error={save.error} />}
          <footer className={styles.actions}>
            <Button disabled={!isSound || settled !== text} loading={save.isPending} onClick={() => save.mutate()}>
              {own === undefined ? 'Save as a rule of your own' : 'Save'}
            </Button>
            {text !== initial && <LinkButton onClick={() => setText(initial)}>Begin anew</LinkButton>}
            {own !== undefined && <LinkButton onClick={() => setRemoving(true)}>Remove the rule</LinkButton>}
            <span className="soft">
              Goes into the pack “{ownPackName}”, for jobs that begin from then on. What it replaces can be brought
              back.
            </span>
          </footer>
        </section>
        <TestPanel source={text} ready={isSound} />
      </div>
      {removing && own !== undefined && (
        <RemoveRule id={own} title={first?.title ?? own} onClose={() => setRemoving(false)} />
      )}
    </>
  );
}

/** The text, which survives a reload until it is saved or begun anew. */
function useDraft(initial: string): [string, (text: string) => void] {
  const [draft, setDraft] = useSessionStorage<{ of: string; text: string } | null>({
    key: 'svc-rule-draft',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const text = draft?.of === initial ? draft.text : initial;
  return [text, (next) => setDraft(next === initial ? null : { of: initial, text: next })];
}

function RemoveRule({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const navigate = route.useNavigate();
  const remove = useMutation({
    mutationFn: () => call(operations.deleteRule, { rule_id: id }),
    onSuccess: async () => {
      await refreshPacks();
      await navigate({ to: paths.rulePacks });
    },
  });
  return (
    <Dialog title={`Remove “${title}”?`} held={remove.isPending} onClose={onClose}>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate()}
        actions={<DialogButtons words="Remove" dangerous pending={remove.isPending} onClose={onClose} />}
      >
        <p>Jobs that begin from now on are checked without it. Reports that name it stay as they are.</p>
      </Form>
    </Dialog>
  );
}
