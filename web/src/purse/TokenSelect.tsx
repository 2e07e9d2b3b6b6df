import { Select } from "@/design/Field";
import { percent } from "@/format/numbers";
import { nameOf } from "@/purse/result";

type Row = {
  token_id: string;
  token: string;
  symbol: string | null;
  contribution_percent?: number | null;
  error?: string | null;
};
type TokenSelectProps = {
  tokens: Row[];
  value: string | null;
  onChange: (tokenId: string | null) => void;
  /** Whether the purse itself has a chart. */
  hasPurse?: boolean;
};

/** Chooses the token whose chart is shown. */
export function TokenSelect({ tokens, value, onChange, hasPurse = false }: TokenSelectProps) {
  return (
    <Select
      aria-label="Chart of"
      className="h-7! w-auto! max-w-48 text-small!"
      onChange={(event) => onChange(event.target.value || null)}
      value={value ?? ""}
    >
      {hasPurse && <option value="">The whole purse</option>}
      {tokens
        .filter(({ error }) => !error)
        .map((row) => (
          <option key={row.token_id} value={row.token_id}>
            {nameOf(row)}
            {row.contribution_percent != null && ` ${percent(row.contribution_percent, { sign: true })}`}
          </option>
        ))}
    </Select>
  );
}
