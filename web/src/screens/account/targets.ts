import { queries, type Schemas } from "@/api/client";

export type Target = Schemas["TargetView"];
export type EventName = Target["events"][number];

export const TARGETS = queries.queryOptions("get", "/api/notifications/targets").queryKey;
export const EVENTS: Record<EventName, string> = {
  "simulation.bought": "A simulation bought",
  "simulation.sold": "A simulation sold",
  "simulation.stopped": "A simulation stopped",
  "simulation.waiting": "A simulation has had no market data for 5 minutes",
  "simulation.drawdown": "A simulation fell a further 10 % below its peak",
  "simulation.pool": "The pool of a traded token shrinks or it cannot be sold",
  "backtest.finished": "A backtest finished",
  "optimisation.finished": "A search for better values finished",
  "watch.signal": "A watched token meets the entry conditions",
};
export const NAMES = Object.keys(EVENTS) as EventName[];
