import { compose } from '@svc/adapters/compose.ts';
import { suggestTags } from '@svc/application/tags/suggest-tags.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('tags');

export const suggestTagsRoute = route(operations.suggestTags, (actor, input) => suggestTags(ports, actor, input));
