import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense, useEffect } from "react";
import { ErrorState } from "@/design/States";
import { Store, useStore } from "@/kit/store";

type Loaded<Props> = Promise<{ default: ComponentType<Props> }>;
type Failure = { onRetry: () => void };
type Options<Props> = {
  /** The name of the part, at the beginning of the error sentence. */
  name?: string;
  /** Shown instead of the error sentence, if that does not fit. */
  Failed?: FunctionComponent<Props & Failure>;
};

/**
 * A component that is loaded when it is first shown, with `fallback` in its place meanwhile. If it cannot be loaded, its
 * place says so, and everything around it stays. It is loaded again when the user asks for it or comes online again.
 */
export function lazyPart<Props extends object>(load: () => Loaded<Props>, options: Options<Props> = {}) {
  const Failed = options.Failed ?? notLoaded(options.name ?? "This part");
  // A promise that is rejected would reach the error boundary of the whole screen, and React would keep it for ever.
  const attempt = (): ComponentType<Props> => {
    const Part: ComponentType<Props> = lazy(() =>
      load().catch(() => ({ default: standIn(Failed, () => retry(Part)) })),
    );
    return Part;
  };
  const current = new Store(attempt());
  const retry = (failed: ComponentType<Props>) => {
    if (current.get() === failed) current.set(attempt());
  };
  return function LazyPart({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    const Part = useStore(current) as ComponentType<object>;
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    );
  };
}

function standIn<Props>(Failed: FunctionComponent<Props & Failure>, onRetry: () => void): ComponentType<Props> {
  return (props) => {
    useEffect(() => {
      addEventListener("online", onRetry);
      return () => removeEventListener("online", onRetry);
    }, []);
    return <Failed {...props} onRetry={onRetry} />;
  };
}

export function notLoaded(name: string): FunctionComponent<Failure> {
  const error = new Error(`${name} could not be loaded. Check your connection. If it fails again, reload the page.`);
  return ({ onRetry }) => <ErrorState error={error} onRetry={onRetry} />;
}
