/** Puts the focus where one writes to the chat; returns whether there is such a place in sight. */
export function focusComposer(): boolean {
  const box = document.querySelector<HTMLElement>("textarea[data-composer]");
  if (!box?.checkVisibility()) return false;
  box.focus();
  return true;
}
