/** Says why options of a `Choice` are struck out, for those who cannot hover: once for each kind of reason. */
export function WhyNot({ options }: { options: { label: string; unusable?: string | undefined }[] }) {
  const reasons = new Map<string, string>();
  for (const { unusable } of options.toReversed()) {
    if (unusable) reasons.set(unusable.replace(/\d[\d,.]*\w?/g, ""), unusable);
  }
  if (reasons.size === 0) return null;
  return (
    <p className="basis-full sm:order-last text-small text-ink-faint">
      Struck out: {[...reasons.values()].toReversed().join(" ")}
    </p>
  );
}
