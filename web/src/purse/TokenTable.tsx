import { Badge } from "@/design/Badge";
import { type Column, Table } from "@/design/Table";
import { Change, Day } from "@/format/Figures";
import { meaningOf } from "@/format/glossary";
import { NOTHING, roundMoney, unbroken } from "@/format/numbers";
import { RISK_WORDS, type RiskLevel } from "@/market/risk";
import { TRADED } from "@/purse/columns";
import { nameOf, type TokenRow } from "@/purse/result";

type TokenTableProps = {
  tokens: TokenRow[];
  /** The token whose chart is shown. */
  shown: string | null;
  /** Shows the chart of a token; without it there is none to show. */
  onShow?: (tokenId: string) => void;
};

/** What the purse did with each token; choose one to see its chart with its trades. */
export function TokenTable({ tokens, shown, onShow }: TokenTableProps) {
  return (
    <Table
      caption="Tokens of the purse"
      choice="purse-tokens"
      columns={[tokenColumn(shown, onShow), ...COLUMNS]}
      detail={(row) => row.error && <p className="px-4 py-1.5 text-small text-down">{unbroken(row.error)}</p>}
      isMarked={(row) => row.token_id === shown}
      order={{ column: "Contribution", descending: true }}
      portion={20}
      rowKey={(row) => row.token_id}
      rows={tokens}
    />
  );
}

function tokenColumn(shown: string | null, onShow: TokenTableProps["onShow"]): Column<TokenRow> {
  return {
    name: "Token",
    always: true,
    sortBy: nameOf,
    cell: (row) => (
      <span className="flex items-center gap-1.5">
        {onShow && !row.error ? (
          <button
            aria-pressed={row.token_id === shown}
            className="rounded-small font-medium text-accent underline-offset-2 hover:underline"
            onClick={() => onShow(row.token_id)}
            title={row.token}
            type="button"
          >
            <span className="sr-only">Show the chart of </span>
            {nameOf(row)}
          </button>
        ) : (
          <strong className="font-medium" title={row.token}>
            {nameOf(row)}
          </strong>
        )}
        {row.stopped_trading && <Badge tone="down">Stopped</Badge>}
        {row.open_position && <Badge tone="accent">Still held</Badge>}
      </span>
    ),
  };
}

const COLUMNS: Column<TokenRow>[] = [
  ...TRADED,
  {
    name: "Alone",
    hint: meaningOf("plain_return"),
    numeric: true,
    extra: true,
    sortBy: (row) => row.plain_return ?? null,
    cell: (row) => <Change value={row.plain_return} />,
  },
  {
    name: "Candles",
    minor: true,
    sortBy: (row) => row.first_candle ?? null,
    cell: ({ first_candle, last_candle }) =>
      first_candle ? (
        <>
          <Day at={first_candle} /> – <Day at={last_candle} />
        </>
      ) : (
        NOTHING
      ),
  },
  {
    name: "Risk",
    minor: true,
    sortBy: (row) => row.risk_level ?? null,
    cell: (row) => <Risk level={row.risk_level} />,
  },
  {
    name: "Costs",
    hint: "The tax of a buy and of a sale, and the liquidity of the pool",
    minor: true,
    cell: costWords,
  },
];

function Risk({ level }: { level: string | null | undefined }) {
  if (!level) return NOTHING;
  const { text, tone } = RISK_WORDS[level as RiskLevel] ?? RISK_WORDS.unknown;
  return <Badge tone={tone}>{text}</Badge>;
}

/** What a fill pays beside fee and slippage: the token's tax, and the impact that depends on the pool. */
function costWords({ costs }: TokenRow): string {
  if (!costs) return NOTHING;
  const [buy, sell] = [costs.buy_tax_percent ?? 0, costs.sell_tax_percent ?? 0];
  const tax = buy || sell ? `tax ${buy}% / ${sell}%` : "no tax";
  return costs.liquidity_usd ? `${tax}, pool ${roundMoney(costs.liquidity_usd)}` : tax;
}
