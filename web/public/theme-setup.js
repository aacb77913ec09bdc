// Marks the page with the colour scheme that was chosen, before anything is drawn. A file of its own, because the
// page's content policy runs no inline script; it runs as it stands, so it is plain JavaScript.
try {
  const chosen = window.localStorage.getItem('color-scheme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.mantineColorScheme = chosen
} catch {
  // Where nothing may be kept, the system's scheme holds.
}
