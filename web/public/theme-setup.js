// Sets what the page needs before its first paint: color scheme, density, and the sign-in form of index.html. Its own
// file because the content security policy forbids inline scripts; served as it is, so plain JavaScript.
try {
  const { dataset } = document.documentElement
  const scheme = window.localStorage.getItem('color-scheme')
  if (scheme === 'light' || scheme === 'dark') dataset.mantineColorScheme = scheme
  const density = window.localStorage.getItem('dossier.density')
  if (density === 'comfortable' || density === 'compact') dataset.density = density
  // Every page but the public ones leads to the sign-in form; see web/data/session/early-sign-in.ts.
  const isSignedOut = window.localStorage.getItem('dossier.session')?.startsWith('user:') !== true
  const isPublic = /^\/(?:logout|callback|setup|invitation|forgot-password|reset-password)/.test(
    window.location.pathname,
  )
  if (isSignedOut && !isPublic) dataset.earlySignIn = ''
} catch {
  // Without access to storage, the defaults apply.
}
document.addEventListener('submit', (event) => {
  const page = event.target instanceof HTMLElement ? event.target.closest('#early-sign-in') : null
  if (page === null) return
  event.preventDefault()
  page.dataset.submitted = ''
})
