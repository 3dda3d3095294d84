import { sql } from 'drizzle-orm';

/** What of intel is not what it would be if all were counted now: no rows where all of it is. */
export const wrongCounts = sql`
  select 'entity' as what, e.id, e.job_count::bigint as is, count(l.job_id) as counted
  from entities e left join entity_job_links l on l.entity_id = e.id and l.is_counted group by e.id
  having e.job_count <> count(l.job_id) or count(l.job_id) = 0
  union all
  select 'job', j.id, c.entities, n.many from jobs j left join job_entity_counts c on c.job_id = j.id
  cross join lateral (select count(*) as many, coalesce(bool_and(l.is_counted), true) as are_counted
    from entity_job_links l where l.job_id = j.id) n
  where c.entities <> n.many or (c.entities is null and n.many > 0 and n.are_counted)
  union all
  select 'total', 0, coalesce(t.kept, 0), coalesce(e.counted, 0) from (select type, sum(many) as kept from entity_totals group by type) t
  full join (select type, count(*) as counted from entities group by type) e using (type)
  where coalesce(t.kept, 0) <> coalesce(e.counted, 0)
  union all
  select 'relationship', r.id, r.occurrence_count, coalesce(sum(v.occurrence_count), 0)
  from relationships r left join relationship_evidence v on v.relationship_id = r.id group by r.id
  having r.occurrence_count <> coalesce(sum(v.occurrence_count), 0) or count(v.job_id) = 0
  union all
  select 'search', e.id, 0, 0 from entities e left join entity_search s on s.entity_id = e.id
  where s.entity_id is null
  union all
  select 'found', e.id, e.found, f.counted from entities e cross join lateral (
    select coalesce(max(case when j.is_private then 1 else 2 end), 0) as counted
    from entity_findings l join findings f on f.id = l.finding_id join jobs j on j.id = f.job_id
    where l.entity_id = e.id and f.count > f.suppressed) f
  where e.found <> f.counted
  union all
  select 'evidence', v.relationship_id, v.job_id, 0 from relationship_evidence v
  join relationships r on r.id = v.relationship_id
  where not exists (select from entity_job_links l where l.entity_id = r.source_id and l.job_id = v.job_id)
    or not exists (select from entity_job_links l where l.entity_id = r.target_id and l.job_id = v.job_id)`;
