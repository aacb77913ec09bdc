// Marks the page with the colour scheme and the density that were chosen, before anything is drawn. A file of its own, because the
// page's content policy runs no inline script; it runs as it stands, so it is plain JavaScript.
try {
  const chosen = window.localStorage.getItem('color-scheme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.mantineColorScheme = chosen
  const density = window.localStorage.getItem('dossier.density')
  if (density === 'comfortable' || density === 'compact') document.documentElement.dataset.density = density
} catch {
  // Where nothing may be kept, the system's scheme holds.
}
