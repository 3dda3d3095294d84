import { Component, type ReactNode } from 'react';

interface Props {
  /** Stands there instead when the children fail to show. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Keeps what fails to show from taking along what stands beside it. */
export class Contained extends Component<Props, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
