import { type Instrument, TokenName } from "@/backtests/instrument";
import { TokenField } from "@/backtests/TokenField";
import { Button } from "@/design/Button";
import { CloseIcon } from "@/design/icons";

type TokenListProps = { tokens: Instrument[]; onChange: (tokens: Instrument[]) => void; error: string | undefined };

/** Tokens that the user adds one by one. */
export function TokenList({ tokens, onChange, error }: TokenListProps) {
  const isNew = (token: Instrument) =>
    !tokens.some(({ address, chain }) => address === token.address && chain === token.chain);
  return (
    <div className="stack max-w-md gap-2">
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
      <TokenField
        error={error}
        key={tokens.length}
        onChange={(token) => token && isNew(token) && onChange([...tokens, token])}
        value={null}
      />
    </div>
  );
}
