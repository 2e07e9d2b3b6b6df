/** The candles of a run in pages, each fetched before it is needed. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, queries, type Schemas } from "@/api/client";
import type { Run } from "@/backtests/runs";
import type { Line } from "@/chart/lines";
import type { Rules } from "@/chart/RuleLines";
import { type Course, lastOf } from "@/playback/clock";
import type { Loaded } from "@/playback/scene";

export const CANDLES_A_PAGE = 1000;
/** The number of candles before the start that are drawn. */
const BEFORE = 200;
const RULES_A_PAGE = 50;

type Page = { chart: Schemas["ChartView"]; lines: Line[] };

export function pageOf({ start, interval }: Course, clock: number): number {
  return Math.max(0, Math.floor((clock - start) / (interval * CANDLES_A_PAGE)));
}

/** The page of the clock with its neighbours; `reaches` is the last moment that can be shown without waiting. */
export function usePages(run: Run, course: Course, clock: number, hasSeries: boolean) {
  const page = pageOf(course, clock);
  const last = pageOf(course, lastOf(course));
  const numbers = [page - 1, page, page + 1].filter((number) => number >= 0 && number <= last);
  const found = useQueries({
    queries: numbers.map((number) => ({
      queryKey: ["playback", run.bot_id, run.run_id, number],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: () => readPage(run, course, number, hasSeries),
    })),
  });
  const pages = found.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new each time, its pages are not
  const loaded = useMemo(() => joined(pages), pages);
  const here = found[numbers.indexOf(page)];
  const isNextHere = numbers.at(-1) === page || found.at(-1)?.data !== undefined;
  return {
    loaded,
    error: found.find(({ error }) => error)?.error ?? null,
    retry: () => found.forEach((each) => void (each.error && each.refetch())),
    reaches: !here?.data ? clock : isNextHere ? course.end : endOf(course, page),
  };
}

function endOf({ start, interval }: Course, page: number): number {
  return start + ((page + 1) * CANDLES_A_PAGE - 1) * interval;
}

async function readPage(run: Run, course: Course, number: number, hasSeries: boolean): Promise<Page> {
  const { start, interval } = course;
  const from = number === 0 ? start - BEFORE * interval : start + number * CANDLES_A_PAGE * interval;
  const to = endOf(course, number) + interval;
  const path = { bot_id: run.bot_id, run_id: run.run_id };
  const [from_, limit, before] = [Math.max(0, from), CANDLES_A_PAGE + BEFORE, BEFORE];
  const [chart, series] = await Promise.all([
    api.GET("/api/bots/{bot_id}/backtest/{run_id}/klines", {
      params: { path, query: { start_time: from_, end_time: to, limit, before } },
    }),
    hasSeries
      ? api.GET("/api/bots/{bot_id}/backtest/{run_id}/series", {
          params: { path, query: { from: from_, to, limit, before } },
        })
      : null,
  ]);
  return { chart: chart.data as Schemas["ChartView"], lines: (series?.data as Schemas["LinesView"])?.series ?? [] };
}

/** Joins consecutive pages; those that are not loaded yet are left out. */
function joined(pages: (Page | undefined)[]): Loaded {
  const here = pages.filter((page) => page !== undefined);
  return {
    klines: here.flatMap(({ chart }) => chart.klines),
    equity: here.flatMap(({ chart }) => chart.equity),
    lines: (here[0]?.lines ?? []).map((line, place) => ({
      ...line,
      points: here.flatMap(({ lines }) => lines[place]?.points ?? []),
    })),
  };
}

/** What is drawn of the trades around this one. */
export function useRulesAround(run: Run, number: number | null): Rules[] {
  const page = number === null ? null : Math.ceil(number / RULES_A_PAGE);
  const [here, next] = [page, page === null ? null : page + 1].map((each) => ({
    params: { path: { bot_id: run.bot_id, run_id: run.run_id }, query: { page: each ?? 1, per_page: RULES_A_PAGE } },
  })) as [RulesQuestion, RulesQuestion];
  const options = { enabled: page !== null, staleTime: Number.POSITIVE_INFINITY };
  const one = useQuery(queries.queryOptions("get", "/api/bots/{bot_id}/backtest/{run_id}/rules", here, options));
  const two = useQuery(queries.queryOptions("get", "/api/bots/{bot_id}/backtest/{run_id}/rules", next, options));
  return useMemo(() => [...(one.data?.rules ?? []), ...(two.data?.rules ?? [])], [one.data, two.data]);
}

type RulesQuestion = {
  params: { path: { bot_id: string; run_id: string }; query: { page: number; per_page: number } };
};
