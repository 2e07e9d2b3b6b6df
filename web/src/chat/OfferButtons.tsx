import { Button } from "@/design/Button";

/** Buttons that send what an answer offers. */
export function OfferButtons({ offers, onSend }: { offers: string[]; onSend: (text: string) => void }) {
  if (offers.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div aria-label="Answers" className="flex flex-wrap gap-2" role="group">
      {offers.map((offer) => (
        <Button key={offer} onClick={() => onSend(offer)} size="small">
          {offer}
        </Button>
      ))}
    </div>
  );
}
