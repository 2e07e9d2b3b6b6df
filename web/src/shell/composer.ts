/** Focuses the text box of the chat, which is shown first if it is hidden; returns whether there is one. */
export function focusComposer(): boolean {
  const box = document.querySelector<HTMLElement>("textarea[data-composer]");
  if (!box) return false;
  const isVisible = box.checkVisibility();
  const shows = document.querySelector<HTMLElement>("[data-shows-chat]");
  if (isVisible) box.focus();
  else if (shows?.checkVisibility()) {
    shows.click();
    requestAnimationFrame(() => box.focus()); // once it is drawn
    return true;
  }
  return isVisible;
}
