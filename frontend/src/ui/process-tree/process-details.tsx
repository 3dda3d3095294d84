import type { Severity } from '@svc/domain';
import type { ReactNode } from 'react';
import { CopyButton } from '../copy-button.tsx';
import { Door } from '../door.tsx';
import { counted } from '../format.ts';
import { LinkButton } from '../link-button.tsx';
import { SeverityMark } from '../severity.tsx';
import { doorOf } from '../door-of.ts';
import styles from './process-details.module.css';
import type { TreeLine, TreeNode } from './tree-rows.ts';

/** A finding as a process names it. */
export interface ProcessFinding {
  readonly id: number;
  readonly rule_name: string;
  readonly severity: Severity;
}

interface DetailsProps<N> {
  readonly line: TreeLine<N>;
  /** The process that started it; undefined for a root. */
  readonly parent: TreeLine<N> | undefined;
  /** Those that its events were matched by, the worst first. */
  readonly findings: readonly ProcessFinding[];
  readonly onFinding: (id: number) => void;
  /** Goes to the row of another process. */
  readonly onProcess: (key: string) => void;
  /** Further facts, each of `dt` and `dd` in a `div`. */
  readonly more: ReactNode;
}

/** What is known of a process, below its row. */
export function ProcessDetails<N extends TreeNode<N>>(props: DetailsProps<N>) {
  const { line, parent, findings, onFinding, onProcess, more } = props;
  const { node, below } = line;
  return (
    <div className={styles.details}>
      {findings.length > 0 && (
        <ul className={styles.findings} aria-label="Findings of this process">
          {findings.map((finding) => (
            <li key={finding.id}>
              <button type="button" className={styles.finding} onClick={() => onFinding(finding.id)}>
                <SeverityMark severity={finding.severity} />
                {finding.rule_name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <dl className={styles.facts}>
        <Fact name="Command line" text={node.cmdline} />
        <Fact name="Path" text={node.image_full} field="Image" />
        {node.image_alts.map((name) => (
          <Fact key={name} name="Original name" text={name} field="Image" />
        ))}
        {node.hashes.map((hash) => (
          <Fact key={hash} name={hashNames[hash.length] ?? 'Hash'} text={hash} />
        ))}
        <Fact name="User" text={node.user} field="User" />
        <Fact name="Computer" text={node.computer} field="Computer" />
        <Fact name="GUID" text={node.guid} />
        {more}
        {parent && (
          <div>
            <dt>Parent</dt>
            <dd>
              <LinkButton onClick={() => onProcess(parent.key)}>
                {parent.node.image} {parent.node.pid}
              </LinkButton>
            </dd>
          </div>
        )}
        {node.children.length > 0 && (
          <div>
            <dt>Children</dt>
            <dd className={styles.children}>
              {node.children.slice(0, mostChildren).map((child, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- a place is what names a process here
                <LinkButton key={place} onClick={() => onProcess(`${line.key}.${place}`)}>
                  {child.image} {child.pid}
                </LinkButton>
              ))}
              {below > 0 && <span className="faint">{counted(below, 'process', 'processes')} below it</span>}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

const mostChildren = 12;
/** By the length in hexadecimal digits. */
const hashNames: Readonly<Record<number, string>> = { 32: 'MD5', 40: 'SHA-1', 64: 'SHA-256' };

interface FactProps {
  readonly name: string;
  readonly text: string;
  /** Field of events that has such a value, where its name tells what it is. */
  readonly field?: string;
}

function Fact({ name, text, field }: FactProps) {
  if (text === '') return null;
  const to = doorOf(field ?? name, text);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{to === null ? text : <Door to={to}>{text}</Door>}</code>
        <CopyButton text={text} what={name} />
      </dd>
    </div>
  );
}
