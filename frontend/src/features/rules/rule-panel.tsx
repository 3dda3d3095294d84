import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch } from '@mantine/core';
import { call, operations } from '@svc/contracts';
import { noise, noisyAbove, ownPackName, recentJobs, severities, type Severity } from '@svc/domain';
import { Link } from '@tanstack/react-router';
import { useMutation, useQuery } from '@tanstack/react-query';
import { packRuleQuery, refreshPacks } from '../../api/rule-packs.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { count, counted, sentence } from '../../ui/format.ts';
import { SeverityMark } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { YamlView } from '../../ui/yaml-view.tsx';
import { costOfRule } from './rule-cost.ts';
import styles from './rules-page.module.css';

/** One rule: whether it is used and at which level, where it fired, and what it says. */
export function RulePanel({ pack, id, canDecide }: { pack: string; id: string; canDecide: boolean }) {
  const { data: rule, error, refetch } = useQuery(packRuleQuery(pack, id));
  const decide = useMutation({
    mutationFn: (decision: { enabled: boolean; level: Severity | null }) =>
      call(operations.overrideRule, { name: pack, rule_id: id, ...decision }),
    onSuccess: refreshPacks,
  });
  if (error) return <ErrorState what="The rule cannot be shown" error={error} retry={() => void refetch()} />;
  if (rule === undefined) return <Skeleton height={320} />;
  const { enabled, level, level_override: own } = rule;
  return (
    <section className={cx('card', styles.panel)} aria-label={rule.title}>
      <header className={styles.head}>
        <SeverityMark severity={own ?? level} large />
        <h2 className={styles.name}>{rule.title}</h2>
        {canDecide ? (
          <>
            <Choice
              label="Level of this rule"
              value={own ?? ''}
              options={[
                ['', `${sentence(level)}, its own`],
                ...severities.filter((one) => one !== level).map((one) => [one, sentence(one)] as const),
              ]}
              onChange={(next) => decide.mutate({ enabled, level: severities.find((one) => one === next) ?? null })}
            />
            <Switch
              size="xs"
              label="In use"
              checked={decide.isPending ? decide.variables.enabled : enabled}
              onChange={({ currentTarget }) => decide.mutate({ enabled: currentTarget.checked, level: own })}
            />
          </>
        ) : (
          !enabled && <span className="soft">Switched off</span>
        )}
      </header>
      {decide.error && <Failure error={decide.error} />}
      <ul className={styles.facts}>
        {[rule.author, rule.status, rule.log_source?.join(' · '), rule.tags.join(' ')].filter(Boolean).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {canDecide && (
        <Link to={paths.ruleEditor} search={{ pack, rule: id }} className={styles.edit}>
          {pack === ownPackName ? 'Change or test it' : 'Test it, or write one of your own from it'}
        </Link>
      )}
      <h3 className={styles.group}>What it cost and found</h3>
      <p className="soft">{costOfRule(rule)}</p>
      <p className="soft">
        {counted(rule.recent.events, 'match', 'matches')} that count in {counted(rule.recent.jobs, 'job')} of the newest{' '}
        {recentJobs} that you may see.
        {rule.recent.is_noisy &&
          ` That is noisy: more than ${noisyAbove(own ?? level)} in ${count(noise.per)} records, which hides what matters. Suppress what is ordinary from a finding of it, give it a lower level, or switch it off.`}
      </p>
      <h3 className={styles.group}>Where it fired</h3>
      {rule.fired.length === 0 ? (
        <p className="soft">In no job that you may see.</p>
      ) : (
        <ul className={styles.fired}>
          {rule.fired.map(({ job_id: jobId, filename, count: events, job_created_at: at }) => (
            <li key={jobId}>
              <Link to={paths.job} params={{ jobId }}>
                {filename}
              </Link>
              <span className="soft">
                {counted(events, 'event')}, job {jobId}, <Day iso={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <h3 className={styles.group}>{rule.path}</h3>
      <YamlView source={rule.source} what="rule" />
    </section>
  );
}
