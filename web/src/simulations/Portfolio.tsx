import type { Schemas } from "@/api/client";
import { Figure } from "@/design/Card";
import { Change, Money, Price } from "@/format/Figures";
import { quantity } from "@/format/numbers";
import { Term } from "@/format/Term";

/** The portfolio under the names that traders know. */
export function Portfolio({ portfolio, name }: { portfolio: Schemas["PortfolioView"]; name: string }) {
  const { position } = portfolio;
  const isHeld = (position.quantity ?? 0) > 0;
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-3.5">
      <Worth portfolio={portfolio} />
      <Figure name="Position" note={isHeld ? <>worth {<Money value={position.value} />}</> : "nothing held"}>
        {isHeld ? `${quantity(position.quantity)} ${name}` : quantity(position.quantity)}
      </Figure>
      <Figure name={<Term name="average_entry" />}>
        <Price value={portfolio.entry_price} />
      </Figure>
      <Figure name="Current Price">
        <Price value={portfolio.current_price} />
      </Figure>
      <Figure name={<Term name="unrealized" />}>
        {isHeld ? <Change unit="money" value={portfolio.unrealized_pnl} /> : <Money value={portfolio.unrealized_pnl} />}
      </Figure>
    </dl>
  );
}

/** The figures that a portfolio of one token and a purse of many have in common. */
export function Worth({ portfolio }: { portfolio: Schemas["PortfolioView"] }) {
  return (
    <>
      <Figure name="Total Value" note={<>began with {<Money value={portfolio.initial_cash} />}</>}>
        <Money value={portfolio.total_value} />
      </Figure>
      <Figure name={<Term name="pnl" />} note={<Change value={portfolio.pnl_percent} />}>
        <Change unit="money" value={portfolio.pnl} />
      </Figure>
      <Figure name="Cash Balance">
        <Money value={portfolio.cash_balance} />
      </Figure>
    </>
  );
}
