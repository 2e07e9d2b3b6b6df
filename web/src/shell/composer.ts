/** Focuses the text box of the chat; returns whether one is visible. */
export function focusComposer(): boolean {
  const box = document.querySelector<HTMLElement>("textarea[data-composer]");
  if (!box?.checkVisibility()) return false;
  box.focus();
  return true;
}
