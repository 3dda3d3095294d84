import { getRouteApi, Link } from '@tanstack/react-router';
import { paths } from '../../../paths.ts';
import { PackRules } from '../pack-rules.tsx';
import { changedRules, type RulesChange } from '../rules-view.ts';

const route = getRouteApi(paths.runningRules);

/** The rules of a pack, for members, to read. */
export function RunningRulesPage() {
  const { pack } = route.useParams();
  const navigate = route.useNavigate();
  const change = (changes: RulesChange) =>
    void navigate({ search: (search) => changedRules(search, changes), replace: true, resetScroll: false });
  return (
    <PackRules
      pack={pack}
      view={route.useSearch()}
      onChange={change}
      all={<Link to={paths.rules}>All rules</Link>}
      canDecide={false}
    />
  );
}
