import { useState } from "react";
import { type Instrument, TokenName } from "@/backtests/instrument";
import { TokenField } from "@/backtests/TokenField";
import { Button } from "@/design/Button";
import { CloseIcon } from "@/design/icons";
import { count } from "@/format/numbers";

type TokenListProps = {
  tokens: Instrument[];
  onChange: (tokens: Instrument[]) => void;
  error: string | undefined;
  /** How many the tier has. */
  most?: number | undefined;
};

/** Tokens that the user adds one by one, each once. */
export function TokenList({ tokens, onChange, error, most = Number.POSITIVE_INFINITY }: TokenListProps) {
  const [twice, setTwice] = useState<Instrument | null>(null);
  const add = (token: Instrument | null) => {
    const isThere = tokens.some(({ address, chain }) => address === token?.address && chain === token?.chain);
    setTwice(isThere ? token : null);
    if (token && !isThere) onChange([...tokens, { address: token.address, chain: token.chain }]);
  };
  return (
    <div className="stack max-w-md gap-2">
      {tokens.length > 0 && (
        <ul aria-label="Chosen tokens" className="flex flex-wrap gap-2">
          {tokens.map((token) => (
            <li
              className="flex items-center gap-1 rounded-control border border-line bg-sunken pl-2 text-small"
              key={`${token.address}-${token.chain}`}
            >
              <TokenName chain={token.chain} token={token.address} />
              <Button
                aria-label="Remove this token"
                look="ghost"
                onClick={() => onChange(tokens.filter((each) => each !== token))}
                size="small"
              >
                <CloseIcon size={12} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {tokens.length < most ? (
        <TokenField error={error} key={tokens.length} onChange={add} value={null} />
      ) : (
        <p className="text-small text-ink-soft">Your tier has up to {count(most)} tokens: the list is full.</p>
      )}
      {twice && (
        <p className="text-small text-down" role="alert">
          <TokenName chain={twice.chain} token={twice.address} /> is in the list already.
        </p>
      )}
    </div>
  );
}
