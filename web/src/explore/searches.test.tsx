import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notice } from "@/api/changes";
import { queryClient } from "@/api/client";
import { useSearch, useSearches, useSurvey, useSurveys } from "@/explore/searches";
import { render } from "@/testing/render";
import { serve } from "@/testing/server";

const RUN = { bot_id: "b", run_id: "r" };
const PATHS = {
  search: "/api/bots/b/optimise/r",
  searches: "/api/bots/b/optimisations",
  survey: "/api/bots/b/survey/r",
  surveys: "/api/bots/b/surveys",
};

/** What the service has now; both kinds of run are alike here. */
let run = { ...RUN, status: "running", progress: 10, verdict: null };

function Shown() {
  const found = [useSearch("b", "r"), useSurvey("b", "r")];
  useSearches("b");
  useSurveys("b");
  return <p>{found.map(({ data }) => (data ? `${data.progress}%` : "–")).join(" ")}</p>;
}

function seenBy(requests: Request[]): string[] {
  return requests.map(({ url }) => new URL(url).pathname).toSorted();
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  run = { ...RUN, status: "running", progress: 10, verdict: null };
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
});

test("a running run is refetched after an event, not by polling", async () => {
  const requests = serve({
    [`GET ${PATHS.search}`]: () => ({ body: run }),
    [`GET ${PATHS.searches}`]: () => ({ body: { optimisations: [run] } }),
    [`GET ${PATHS.survey}`]: () => ({ body: run }),
    [`GET ${PATHS.surveys}`]: () => ({ body: { surveys: [run] } }),
  });
  render(<Shown />);
  await screen.findByText("10% 10%");
  const once = Object.values(PATHS).toSorted();
  expect(seenBy(requests)).toEqual(once);

  await vi.advanceTimersByTimeAsync(20_000);
  expect(seenBy(requests)).toEqual(once);

  run = { ...run, progress: 60 };
  await notice({ kind: "run", botId: "b", runId: "r" });
  await screen.findByText("60% 60%");
  expect(seenBy(requests)).toEqual([...once, ...once].toSorted());
});

test("without a stream a run is refetched every half minute until it has ended", async () => {
  const requests = serve({ [`GET ${PATHS.search}`]: () => ({ body: run }) });
  const Search = () => <p>{useSearch("b", "r").data?.status}</p>;
  render(<Search />);
  await screen.findByText("running");
  run = { ...run, status: "completed" };
  await vi.advanceTimersByTimeAsync(31_000);
  await screen.findByText("completed");
  await vi.advanceTimersByTimeAsync(120_000);
  expect(requests.length).toBe(2);
});
