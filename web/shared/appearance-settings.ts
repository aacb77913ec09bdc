import { applyDensity, type Density } from '#web/ui/theme/theme.ts'
import { readStored, removeStored, setStored } from '#web/data/storage/browser-storage.ts'
import { useEffect } from 'react'
import { changeProfile } from '#api/account.ts'
import type { SessionUser } from '#api/sessions.ts'
import { HOST_LANGUAGE_COOKIE, type Language, LANGUAGE_COOKIE } from '#domain/shared/language.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'
import { call } from '#web/data/api/call.ts'

/** Stored in this browser; `theme-setup.js` reads it before the first paint. */
export function setDensity(density: Density): void {
  if (density === 'auto') removeStored('density')
  else setStored('density', density)
  applyDensity(density)
}

const YEAR_S = 365 * 24 * 60 * 60

/** The language already requested in this tab, so that a missing build is requested only once. */
const REQUESTED_KEY = 'language-asked'

/** Stores the language and reloads, because each language has its own page. */
export function reloadInLanguage(language: Language): void {
  const isSecure = window.location.protocol === 'https:'
  const [name, secure] = isSecure ? [HOST_LANGUAGE_COOKIE, '; secure'] : [LANGUAGE_COOKIE, '']
  document.cookie = `${name}=${language}; path=/; max-age=${YEAR_S}; samesite=lax${secure}`
  setStored(REQUESTED_KEY, language, 'session')
  window.location.reload()
}

/** Also stores the language in the account, so that it applies to emails and other browsers. */
export async function setLanguage(language: Language): Promise<void> {
  const change = () => reloadInLanguage(language)
  // Applies the language even if the server is unreachable.
  await call(changeProfile, { body: { language } }).then(change, change)
}

/** Switches to the language of the signed-in user's account. */
export function useUserLanguage(user: SessionUser | null): void {
  const chosen = user !== null && user.view_as === null ? user.language : null
  useEffect(() => {
    if (chosen === null || chosen === LANGUAGE || readStored(REQUESTED_KEY, 'session') === chosen) return
    reloadInLanguage(chosen)
  }, [chosen])
}
