/** The screens by address. Each is loaded at its first visit; the page for unknown addresses is always loaded. */
import { Component, type ReactNode } from "react";
import { Route, Switch, useLocation } from "wouter";
import { lazyPart } from "@/design/lazyPart";
import { ErrorState, Loading, Skeleton } from "@/design/States";
import { MissingScreen } from "@/screens/missing/MissingScreen";
import { ROUTES } from "@/shell/routes";

const SCREENS = ROUTES.map(({ path, load }) => ({ path, Screen: lazyPart(load, { name: "This screen" }) }));

export function Screens() {
  const [path] = useLocation();
  return (
    <Mishap key={path}>
      <Switch>
        {SCREENS.map(({ path, Screen }) => (
          <Route key={path} path={path}>
            {(params) => <Screen {...params} fallback={<LoadingScreen />} />}
          </Route>
        ))}
        <Route>
          <MissingScreen />
        </Route>
      </Switch>
    </Mishap>
  );
}

function LoadingScreen() {
  return (
    <Loading className="mx-auto stack w-full max-w-6xl gap-5 px-4 py-6 sm:px-6 sm:py-8">
      <Skeleton className="h-7 w-40" />
      <Skeleton className="h-72 w-full" />
    </Loading>
  );
}

/** An error in a screen does not affect the others. */
class Mishap extends Component<{ children: ReactNode }, { error: unknown }> {
  state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  render() {
    if (!this.state.error) return this.props.children;
    return <ErrorState error={new Error("This screen could not be shown.")} onRetry={() => location.reload()} />;
  }
}
