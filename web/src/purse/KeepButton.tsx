import { useMutation } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { Button } from "@/design/Button";
import { ProblemNote } from "@/design/States";
import { askedOf, type Many, manyOfBot } from "@/purse/many";
import { refreshBot } from "@/strategy/refreshing";

type KeepButtonProps = { bot: Schemas["BotView"]; many: Many };
type Universe = Schemas["BotPatch"]["universe"];

/** Makes the chosen tokens those that the bot's runs trade by default, or takes that back. */
export function KeepButton({ bot, many }: KeepButtonProps) {
  const keep = useMutation({
    mutationFn: (universe: Universe) =>
      api.PATCH("/api/bots/{bot_id}", { params: { path: { bot_id: bot.id } }, body: { universe } }),
    onSuccess: () => refreshBot(bot.id),
  });
  const chosen = universeOf(many);
  const kept = manyOfBot(bot.universe ?? null, many.chain);
  const isKept = kept !== null && JSON.stringify(universeOf(kept)) === JSON.stringify(chosen);
  return (
    <div className="stack gap-2">
      <Button
        busy={keep.isPending}
        className="self-start"
        disabled={Array.isArray(chosen) && chosen.length === 0}
        look={isKept ? "ghost" : undefined}
        onClick={() => keep.mutate(isKept ? null : chosen)}
        size="small"
      >
        {isKept ? "The bot keeps these tokens: forget them" : "Keep these tokens for the bot"}
      </Button>
      <ProblemNote error={keep.error} />
    </div>
  );
}

function universeOf(many: Many): Universe {
  const { tokens, universe } = askedOf(many);
  return universe ?? tokens;
}
