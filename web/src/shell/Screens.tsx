/** The screens by address. Each is loaded at its first visit; the page for unknown addresses is always loaded. */
import { Component, type ComponentType, type ReactNode } from "react";
import { Route, Switch, useLocation } from "wouter";
import { lazyPart } from "@/design/lazyPart";
import { ErrorState, Loading, Skeleton } from "@/design/States";
import { MissingScreen } from "@/screens/missing/MissingScreen";

function screen<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): ComponentType<Props> {
  const Screen = lazyPart(load, { name: "This screen" });
  return (props) => <Screen {...props} fallback={<LoadingScreen />} />;
}

const StartScreen = screen(() => import("@/screens/start/StartScreen"));
const BotsScreen = screen(() => import("@/screens/bots/BotsScreen"));
const WorkbenchScreen = screen(() => import("@/screens/workbench/WorkbenchScreen"));
const MarketScreen = screen(() => import("@/screens/market/MarketScreen"));
const TokenScreen = screen(() => import("@/screens/market/TokenScreen"));
const AccountScreen = screen(() => import("@/screens/account/AccountScreen"));
const LoginScreen = screen(() => import("@/screens/account/LoginScreen"));
const SharedScreen = screen(() => import("@/screens/shared/SharedScreen"));
const RegisterScreen = screen(() => import("@/screens/account/RegisterScreen"));

export function Screens() {
  const [path] = useLocation();
  return (
    <Mishap key={path}>
      <Switch>
        <Route path="/">
          <StartScreen />
        </Route>
        <Route path="/bots">
          <BotsScreen />
        </Route>
        <Route path="/bots/:botId">{({ botId }) => <WorkbenchScreen botId={botId} key={botId} />}</Route>
        <Route path="/market">
          <MarketScreen />
        </Route>
        <Route path="/market/:tokenId">{({ tokenId }) => <TokenScreen key={tokenId} tokenId={tokenId} />}</Route>
        <Route path="/account">
          <AccountScreen />
        </Route>
        <Route path="/login">
          <LoginScreen />
        </Route>
        <Route path="/s/:shareId">{({ shareId }) => <SharedScreen key={shareId} shareId={shareId} />}</Route>
        <Route path="/register">
          <RegisterScreen />
        </Route>
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
