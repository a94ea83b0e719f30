// Runs before anything is drawn, so that whoever chose a theme never sees the other one flash.

try {
  const theme = localStorage.getItem('soundings.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing follows the system.
}
