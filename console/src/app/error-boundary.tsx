import { Component, type ReactNode } from 'react';
import { shellText } from '../text/shell-text.js';
import { fetchFailedChunksAgain } from './in-chunk.js';

interface Props {
  /** If this value changes after an error, the children are shown again. */
  resetOn?: unknown;
  children: ReactNode;
}

interface State {
  error: Error | undefined;
}

/**
 * Shows a notice in place of a part that threw an error. It is a class, because React does not
 * support functions as error boundaries.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (!this.state.error || before.resetOn === this.props.resetOn) return;
    fetchFailedChunksAgain();
    this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="notice notice-error" role="alert">
        <h2>{shellText.failedPart.title}</h2>
        <p>{error.message}</p>
        <p>
          <button type="button" className="button" onClick={() => window.location.reload()}>
            {shellText.failedPart.reload}
          </button>
        </p>
      </div>
    );
  }
}
