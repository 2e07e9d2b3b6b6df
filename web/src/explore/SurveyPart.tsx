import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { StatusBadge } from "@/backtests/BacktestTable";
import { isGoing, type Run } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { DownloadIcon } from "@/design/icons";
import { Empty, ErrorState, Note, ProblemNote } from "@/design/States";
import { type Column, Table } from "@/design/Table";
import { LoadingRuns, UnderWay } from "@/explore/Pieces";
import { SurveyForm } from "@/explore/SurveyForm";
import { SurveyResult } from "@/explore/SurveyResult";
import { type Survey, type SurveySummary, useStopSurvey, useSurvey, useSurveys } from "@/explore/searches";
import { Change, Time } from "@/format/Figures";
import { count } from "@/format/numbers";
import { saveFile } from "@/kit/saving";
import { chainName } from "@/market/chains";
import type { Bot } from "@/strategy/versions";

/** The form of a new survey, the survey that is shown, and the list of all surveys. */
export function SurveyPart({ bot, run }: { bot: Bot; run: Run | undefined }) {
  const { data, error, refetch } = useSurveys(bot.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? data?.surveys[0]?.run_id ?? null;
  const survey = useSurvey(bot.id, shown);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <LoadingRuns label="Loading the surveys…" />;
  return (
    <>
      <div className="px-4">
        <SurveyForm bot={bot} key={run?.run_id} onStart={setChosen} shown={run} />
      </div>
      {data.surveys.length === 0 && !shown && (
        <Empty title="No survey yet.">
          A survey tests the strategy on many tokens at once: a rule that works finds more than one.
        </Empty>
      )}
      {survey.error ? <ErrorState error={survey.error} onRetry={survey.refetch} /> : null}
      {survey.data && <OneSurvey key={survey.data.run_id} survey={survey.data} />}
      {data.surveys.length > 1 && (
        <div className="stack border-t border-line">
          <h2 className="px-4 pt-3 text-body">All surveys</h2>
          <Table
            caption="Surveys of this bot"
            columns={columns(shown, setChosen)}
            isMarked={(each) => each.run_id === shown}
            portion={10}
            rowKey={(each) => each.run_id}
            rows={data.surveys}
          />
        </div>
      )}
    </>
  );
}

function OneSurvey({ survey }: { survey: Survey }) {
  const stop = useStopSurvey(survey);
  return (
    <section aria-label="Survey" className="stack gap-4 border-t border-line pt-4">
      <div className="stack gap-3 px-4">
        {isGoing(survey) && (
          <UnderWay
            label="Progress of the survey"
            percent={survey.progress}
            stop={stop}
            words={
              survey.status === "pending"
                ? "Waiting for its turn…"
                : `${count(survey.tokens_done)} of ${count(survey.tokens_total)} tokens done…`
            }
          />
        )}
        {survey.status === "failed" && <ProblemNote error={new Error(survey.error ?? "The survey failed.")} />}
        {survey.status === "stopped" && (
          <Note>
            {survey.error ?? "You stopped this survey."} {count(survey.tokens_done)} of {count(survey.tokens_total)}{" "}
            tokens were tested.
          </Note>
        )}
        {!survey.details_kept && <Note>This survey is old: its rows were deleted, its result is kept.</Note>}
      </div>
      <SurveyResult action={survey.rows.length > 0 && <CsvButton survey={survey} />} survey={survey} />
    </section>
  );
}

/** A button, because a plain link cannot send the access token. */
function CsvButton({ survey: { bot_id, run_id } }: { survey: Survey }) {
  const download = useMutation({
    mutationFn: async () => {
      const { data } = await api.GET("/api/bots/{bot_id}/survey/{run_id}/rows.csv", {
        params: { path: { bot_id, run_id } },
        parseAs: "blob",
      });
      saveFile(data as Blob, `survey-${run_id}.csv`);
    },
  });
  return (
    <div className="stack gap-2">
      <Button busy={download.isPending} onClick={() => download.mutate()} size="small">
        <DownloadIcon size={14} />
        CSV
      </Button>
      <ProblemNote error={download.error} />
    </div>
  );
}

function columns(shown: string | null, onShow: (runId: string) => void): Column<SurveySummary>[] {
  return [
    {
      name: "Started",
      cell: (each) => (
        <button
          aria-pressed={each.run_id === shown}
          className="rounded-small font-medium text-accent underline-offset-2 hover:underline"
          onClick={() => onShow(each.run_id)}
          type="button"
        >
          <Time at={each.created_at} relative />
        </button>
      ),
    },
    { name: "Tokens", cell: (each) => tokensText(each) },
    { name: "State", cell: (each) => <StatusBadge run={each} />, minor: true },
    { name: "Mean return", numeric: true, cell: (each) => <Change value={each.combined?.mean_return} /> },
  ];
}

function tokensText({ trending, tokens_total }: SurveySummary): string {
  return trending ? `${count(tokens_total)} trending on ${chainName(trending)}` : `${count(tokens_total)} chosen`;
}
