import type { Home } from '@svc/contracts';
import type { ComponentType } from 'react';
import type { Options, Submission } from './submission.ts';

export interface CommonOptionsProps {
  readonly home: Home;
  readonly options: Options;
  readonly several: boolean;
}

export interface OwnOptionsProps {
  readonly home: Home;
  readonly submission: Submission;
}

/** The options of files, which whoever shows the page fills with fields of other features; both may come later. */
export interface OptionParts {
  readonly CommonOptions: ComponentType<CommonOptionsProps>;
  readonly OwnOptions: ComponentType<OwnOptionsProps>;
}
