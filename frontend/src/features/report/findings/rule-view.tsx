import type { FindingRow } from '@svc/contracts';
import { techniquesOf, techniqueTitle } from '@svc/domain';
import { IconExternalLink, IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useReport } from '../../../api/report-source.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { YamlView } from '../../../ui/yaml-view.tsx';
import type { RuleFacts } from '../../../ui/matched-event/read-rule.ts';
import { ruleFactsQuery } from './rule-facts-query.ts';
import styles from './rule-view.module.css';

/** The rule behind a finding: who wrote it, what it may be wrong about, and its source. */
export function RuleView({ finding }: { finding: FindingRow }) {
  const report = useReport();
  const { data, error, refetch } = useQuery({ ...ruleFactsQuery(report, finding.id), enabled: finding.has_rule });
  if (!finding.has_rule) {
    return (
      <EmptyState icon={IconFileOff} title="The source of this rule is not at hand">
        The engine reported the rule by name only.
      </EmptyState>
    );
  }
  if (error) return <ErrorState what="The rule cannot be read" error={error} retry={() => void refetch()} />;
  if (!data) {
    return (
      <div className={styles.view} aria-busy="true">
        <Skeleton height={160} />
      </div>
    );
  }
  return (
    <div className={styles.view}>
      {data.facts && <Facts facts={data.facts} author={data.rule.author} techniques={techniquesOf(finding.tags)} />}
      <YamlView source={data.rule.content} what="rule" />
    </div>
  );
}

function Facts({
  facts,
  author,
  techniques,
}: {
  facts: RuleFacts;
  author: string | null;
  techniques: readonly string[];
}) {
  return (
    <dl className={styles.facts}>
      <Fact name="Author">{facts.author ?? author}</Fact>
      <Fact name="Status">{[facts.status, facts.date].filter(Boolean).join(', ')}</Fact>
      <Fact name="Log source">{facts.logsource}</Fact>
      <Fact name="False positives">
        {facts.falsePositives.length > 0 && (
          <ul>
            {facts.falsePositives.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="References">
        {facts.references.length > 0 && (
          <ul>
            {facts.references.map((reference) => (
              <li key={reference}>
                <Reference address={reference} />
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="ATT&CK">
        {techniques.length > 0 && (
          <ul>
            {techniques.map((id) => (
              <li key={id}>
                <Reference
                  address={`https://attack.mitre.org/techniques/${id.replace('.', '/')}/`}
                  text={techniqueTitle(id)}
                />
              </li>
            ))}
          </ul>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A rule may name any text as a reference; only web addresses become links. */
function Reference({ address, text = address }: { address: string; text?: string }) {
  if (!/^https?:\/\//i.test(address)) return address;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" className={styles.link}>
      {text} <IconExternalLink size={12} stroke={1.75} aria-label="(opens in a new tab)" />
    </a>
  );
}
