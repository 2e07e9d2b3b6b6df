import { useState } from "react";
import type { Schemas } from "@/api/client";
import { askedOf, type Many, manyOfBot, manyOfRun, type OfMany, startOf } from "@/purse/many";
import { useMe, useSettings } from "@/session/user";

/**
 * Whether a form trades one token or many, and which. It starts with those of an earlier run, or else of the bot.
 * `asked` is null while the form trades one token.
 */
export function useChoice(bot: Schemas["BotView"], run: OfMany | undefined) {
  const { default_chain } = useSettings();
  const most = useMe().data?.limits.portfolio_tokens;
  const chain = bot.chain ?? default_chain;
  const usual = run ? manyOfRun(run, chain) : manyOfBot(bot.universe ?? null, chain);
  const [chosen, setIsMany] = useState<boolean | undefined>(undefined);
  const [edited, setMany] = useState<Many | undefined>(undefined);
  const many = edited ?? usual ?? manyOfBot(bot.universe ?? null, chain) ?? startOf(chain);
  const isMany = chosen ?? usual !== null;
  const isEmpty = isMany && many.which === "list" && many.tokens.length === 0;
  return { isMany, setIsMany, many, setMany, most, isEmpty, asked: isMany ? askedOf(many) : null };
}

export type TokenChoice = ReturnType<typeof useChoice>;
