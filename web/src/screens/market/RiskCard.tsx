import { queries, type Schemas } from "@/api/client";
import { Badge } from "@/design/Badge";
import { Card } from "@/design/Card";
import { CheckIcon, WarningIcon } from "@/design/icons";
import { Empty, ErrorState, Loading, Note, Skeleton } from "@/design/States";
import { count, percent } from "@/format/numbers";
import { RISK_WORDS } from "@/market/risk";

type Risk = Schemas["Risk"];

export function RiskCard({ tokenId }: { tokenId: string }) {
  const { data, error, refetch } = queries.useQuery("get", "/api/market/contracts/{contract_id}", {
    params: { path: { contract_id: tokenId } },
  });
  const risk = data && "risk" in data ? data.risk : null;
  const level = risk && RISK_WORDS[risk.risk_level];
  return (
    <Card actions={level && <Badge tone={level.tone}>{level.text}</Badge>} title="Risk">
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-56" />
        </Loading>
      ) : risk ? (
        <Findings risk={risk} />
      ) : (
        <Empty title="Nobody has looked at this contract.">Be careful with it.</Empty>
      )}
    </Card>
  );
}

function Findings({ risk }: { risk: Risk }) {
  return (
    <div className="stack gap-4">
      {risk.warnings.length > 0 ? (
        <ul className="stack gap-2">
          {risk.warnings.map((warning) => (
            <li className="flex items-start gap-2 text-small" key={warning}>
              <span className="mt-0.5 text-warn">
                <WarningIcon size={14} />
              </span>
              {warning}
            </li>
          ))}
        </ul>
      ) : risk.is_honeypot == null ? (
        <p className="flex items-start gap-2 text-small">
          <span className="mt-0.5 text-warn">
            <WarningIcon size={14} />
          </span>
          Nobody could check whether it can be sold.
        </p>
      ) : (
        <p className="flex items-start gap-2 text-small">
          <span className="mt-0.5 text-up">
            <CheckIcon size={14} />
          </span>
          No warning was raised.
        </p>
      )}
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 border-t border-line pt-3 text-small">
        {facts(risk).map(([name, text]) => (
          <div className="contents" key={name}>
            <dt className="text-ink-soft">{name}</dt>
            <dd className="figures text-right">{text}</dd>
          </div>
        ))}
      </dl>
      <Note>A low score is no promise. It says what a contract check can see, nothing more.</Note>
    </div>
  );
}

function facts(risk: Risk): [string, string][] {
  return [
    ["Risk score, of 100", count(risk.risk_score)],
    ["Can be sold", yesNo(risk.is_honeypot == null ? null : !risk.is_honeypot)],
    ["Buy tax", percent(risk.buy_tax_percent, { digits: 1 })],
    ["Sell tax", percent(risk.sell_tax_percent, { digits: 1 })],
    ["More can be minted", yesNo(risk.is_mintable)],
    ["Source code is public", yesNo(risk.is_open_source)],
    ["Owner gave up control", yesNo(risk.owner_renounced)],
    ["Liquidity locked", percent(risk.liquidity_locked_percent, { digits: 0 })],
    ["Held by the largest", percent(risk.top_holders_percent, { digits: 0 })],
  ];
}

function yesNo(value: boolean | null | undefined): string {
  if (value == null) return "Unknown";
  return value ? "Yes" : "No";
}
