/** Numbers of one kind, as monitoring knows them. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  /** A counter's name has no `_total` here. */
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** How long things took. */
export interface Durations {
  readonly name: string;
  readonly help: string;
  readonly type: 'histogram';
  /** Upper bounds in seconds. */
  readonly bounds: readonly number[];
  readonly samples: readonly {
    readonly labels: Readonly<Record<string, string>>;
    /** By the first bound that they are not above, each once. */
    readonly counts: readonly number[];
    readonly total: number;
    readonly seconds: number;
  }[];
}

/** What this process counts, and how numbers are told to monitoring. */
export interface Metrics {
  /** Counts a request that was answered here. */
  request(answered: {
    readonly operation: string;
    readonly area: string;
    readonly status: number;
    readonly seconds: number;
  }): Promise<void>;
  /** What is counted here, and these figures, in OpenMetrics 1.0. */
  text(figures: readonly (Figure | Durations)[]): Promise<string>;
}
