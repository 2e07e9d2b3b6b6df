/** Every address of the app: its screen, its name where it is offered, and to whom. */
import type { ComponentType } from "react";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
/** The props of a screen are the parameters of its address. */
type Params<Path> = Path extends `${string}:${infer Name}` ? { [name in Name]: string } : object;
type Offer = {
  /** In the palette, and in the header if `inHeader`. */
  name?: string;
  inHeader?: boolean;
  /** Offered to everybody by default. */
  offeredTo?: "users" | "guests";
};
type AppRoute = Offer & { path: string; load: Load<object> };

function route<Path extends string>(path: Path, load: Load<Params<Path>>, offer: Offer = {}): AppRoute {
  return { path, load: load as Load<object>, ...offer };
}

export const ROUTES: AppRoute[] = [
  route("/", () => import("@/screens/start/StartScreen"), { name: "Start" }),
  route("/bots", () => import("@/screens/bots/BotsScreen"), { name: "Bots", inHeader: true }),
  route("/bots/:botId", () => import("@/screens/workbench/WorkbenchScreen")),
  route("/market", () => import("@/screens/market/MarketScreen"), { name: "Market", inHeader: true }),
  route("/market/:tokenId", () => import("@/screens/market/TokenScreen")),
  route("/account", () => import("@/screens/account/AccountScreen"), { name: "Account", offeredTo: "users" }),
  route("/login", () => import("@/screens/account/LoginScreen"), { name: "Log in", offeredTo: "guests" }),
  route("/register", () => import("@/screens/account/RegisterScreen"), { name: "Sign up", offeredTo: "guests" }),
  route("/connect", () => import("@/screens/account/ConnectScreen")),
  route("/s/:shareId", () => import("@/screens/shared/SharedScreen")),
];

/** The named routes that a user or a guest is offered. */
export function offered(to: "users" | "guests"): (AppRoute & { name: string })[] {
  return ROUTES.filter((route): route is AppRoute & { name: string } => route.name !== undefined).filter(
    ({ offeredTo = to }) => offeredTo === to,
  );
}
