import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../../api/query-client.ts';
import { ruleQuery, type ReportSource } from '../../../api/report-source.ts';

/** A finding's rule, its source and what was read from it; `facts` is null when the source is no Sigma rule. */
export function ruleFactsQuery(source: ReportSource, findingId: number) {
  return queryOptions({
    queryKey: [...ruleQuery(source, findingId).queryKey, 'facts'],
    queryFn: async () => {
      // The YAML parser is a chunk of its own: it is needed only once a finding is looked at.
      const [rule, { readRule }] = await Promise.all([
        queryClient.ensureQueryData(ruleQuery(source, findingId)),
        import('../../../ui/matched-event/read-rule.ts'),
      ]);
      return { rule, facts: rule.language === 'yaml' ? readRule(rule.content) : null };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
