/** What a purse of many tokens has now: its value, its places, and each position with its token. */
import { Badge } from "@/design/Badge";
import { Figure } from "@/design/Card";
import { type Column, Table } from "@/design/Table";
import { Change, Money, Price, Time } from "@/format/Figures";
import { meaningOf } from "@/format/glossary";
import { count, quantity, unbroken } from "@/format/numbers";
import { Term } from "@/format/Term";
import { TRADED } from "@/purse/columns";
import { universeWords } from "@/purse/many";
import { nameOf } from "@/purse/result";
import type { Simulation } from "@/simulations/following";
import { Worth } from "@/simulations/Portfolio";

type TokenRow = NonNullable<Simulation["tokens"]>[number];
type Position = NonNullable<Simulation["portfolio"]["positions"]>[number];
type OnToken = (tokenId: string) => void;

type PursePanelProps = { run: Simulation; tokens: TokenRow[]; onToken: OnToken };

export function PursePanel({ run: { portfolio, universe }, tokens, onToken }: PursePanelProps) {
  const newest = Math.max(...tokens.map(({ last_candle }) => last_candle ?? 0));
  return (
    <div className="stack gap-4">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-3.5">
        <Worth portfolio={portfolio} />
        <Figure name={<Term name="places" />} note={<>worth {<Money value={portfolio.position.value} />}</>}>
          {count(portfolio.places_used)} of {count(portfolio.max_open)}
        </Figure>
        <Figure name={<Term name="unrealized" />}>
          <Change unit="money" value={portfolio.unrealized_pnl} />
        </Figure>
        <Figure name={<Term name="turned_away" />} note="closes without a free place">
          {count(portfolio.turned_away)}
        </Figure>
      </dl>
      <Positions onToken={onToken} positions={portfolio.positions ?? []} tokens={tokens} />
      <section aria-label="Tokens" className="stack gap-1">
        <h2 className="text-small text-ink-faint">Tokens{universe && `: ${universeWords(universe)}`}</h2>
        <div className="-mx-4">
          <Table
            caption="Tokens of the simulation"
            columns={tokenColumns(onToken, newest)}
            detail={(row) => row.error && <p className="px-4 py-1.5 text-small text-down">{unbroken(row.error)}</p>}
            order={{ column: "Contribution", descending: true }}
            portion={10}
            rowKey={(row) => row.token_id}
            rows={tokens}
          />
        </div>
      </section>
    </div>
  );
}

const PAID =
  "What was spent on it. Fees, taxes and the price impact of the purchase are in it, so that it can be worth less at a higher price.";

function paidFor({ value, unrealized_pnl: gained }: Position): number | null {
  return value == null || gained == null ? null : value - gained;
}

type PositionsProps = { positions: Position[]; tokens: TokenRow[]; onToken: OnToken };

function Positions({ positions, tokens, onToken }: PositionsProps) {
  if (positions.length === 0) return <p className="text-small text-ink-soft">It holds nothing now.</p>;
  const rowOf = ({ token_id, symbol }: Position) =>
    tokens.find((row) => row.token_id === token_id) ?? { token_id, symbol, token: token_id };
  const columns: Column<Position>[] = [
    { name: "Token", cell: (position) => <ShowToken onToken={onToken} row={rowOf(position)} /> },
    { name: "Quantity", numeric: true, minor: true, cell: (position) => quantity(position.quantity) },
    { name: "Bought at", numeric: true, minor: true, cell: (position) => <Price value={position.entry_price} /> },
    { name: "Now", numeric: true, cell: (position) => <Price value={position.current_price} /> },
    { name: "Paid", hint: PAID, numeric: true, minor: true, cell: (position) => <Money value={paidFor(position)} /> },
    { name: "Value", numeric: true, sortBy: ({ value }) => value, cell: ({ value }) => <Money value={value} /> },
    {
      name: "Unrealized",
      hint: meaningOf("unrealized"),
      numeric: true,
      sortBy: (position) => position.unrealized_pnl,
      cell: (position) => <Change unit="money" value={position.unrealized_pnl} />,
    },
    { name: "Since", minor: true, cell: (position) => <Time at={position.entry_time} bare /> },
  ];
  return (
    <section aria-label="Positions" className="stack gap-1">
      <h2 className="text-small text-ink-faint">Positions</h2>
      <div className="-mx-4">
        <Table
          caption="Positions of the simulation"
          columns={columns}
          order={{ column: "Value", descending: true }}
          rowKey={(position) => position.token_id}
          rows={positions}
        />
      </div>
    </section>
  );
}

type Shown = Pick<TokenRow, "token_id" | "token" | "symbol">;

function ShowToken({ row, onToken }: { row: Shown; onToken: OnToken }) {
  return (
    <button
      className="rounded-small font-medium text-accent underline-offset-2 hover:underline"
      onClick={() => onToken(row.token_id)}
      title={row.token}
      type="button"
    >
      <span className="sr-only">Show the chart of </span>
      {nameOf(row)}
    </button>
  );
}

type WaitsForProps = { row: TokenRow; newest: number };

/** The first rule that is not met yet: of a position one that could end it, else one that its purchase waits for. */
function WaitsFor({ row: { next_entry = [], next_exit = [], last_candle }, newest }: WaitsForProps) {
  if (last_candle != null && last_candle < newest) {
    return (
      <span className="text-ink-soft">
        a candle, since <Time at={last_candle} bare />
      </span>
    );
  }
  const rules = next_exit.length > 0 ? next_exit : next_entry;
  const rule = rules.find(({ met }) => !met) ?? rules[0];
  if (!rule) return null;
  return (
    <span className="block w-56 whitespace-normal text-ink-soft" title={rule.condition}>
      {next_exit.length > 0 && `${rule.condition}: `}
      {unbroken(rule.reason.text)}
    </span>
  );
}

function tokenColumns(onToken: OnToken, newest: number): Column<TokenRow>[] {
  return [
    {
      name: "Token",
      sortBy: nameOf,
      cell: (row) => (
        <span className="flex items-center gap-1.5">
          {row.error ? (
            <strong className="font-medium">{nameOf(row)}</strong>
          ) : (
            <ShowToken onToken={onToken} row={row} />
          )}
          {row.stopped_trading && <Badge tone="down">Stopped</Badge>}
          {row.listed === false && <Badge>Off the list</Badge>}
        </span>
      ),
    },
    ...TRADED,
    { name: "Waits for", minor: true, cell: (row) => <WaitsFor newest={newest} row={row} /> },
  ];
}
