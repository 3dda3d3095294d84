import type { operations, OutputOf } from '@svc/contracts';
import {
  entityColors,
  entityFlags,
  entityLabels,
  entityTypes,
  graphFlags,
  graphKindColors,
  graphSubtypes,
  graphUiColors,
  graphVerdicts,
  otherTactic,
  relationshipKinds,
  relationshipLabels,
  severities,
  severityColors,
  tacticColors,
  tactics,
  togetherKinds,
  typedBase,
} from '@svc/domain';

/** What the numbers in graphs mean (resolved-intel 7.2); the same for everybody and for every graph. */
export async function getGraphSchema(): Promise<OutputOf<typeof operations.getGraphSchema>> {
  return {
    v: 1,
    types: [...entityTypes],
    subtypes: [...graphSubtypes],
    attr_flags: [...entityFlags].sort(),
    flags: { ...graphFlags },
    severities: [...severities, 'unknown'],
    tactics: [...tactics, otherTactic],
    rels: [...relationshipKinds],
    verdicts: [...graphVerdicts],
    edge_kinds: [...togetherKinds],
    typed_base: typedBase,
    colors: {
      types: { ...entityColors },
      kinds: { ...graphKindColors },
      ui: { ...graphUiColors },
      severities: { ...severityColors },
      tactics: { ...tacticColors },
    },
    labels: { types: { ...entityLabels }, rels: { ...relationshipLabels } },
  };
}
