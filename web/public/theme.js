// Before the first paint, so that nobody who chose the dark theme is dazzled by the light one.
try {
  const theme = localStorage.getItem("strategybot.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's own theme is a good guess then.
}
