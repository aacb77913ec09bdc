import { applyDensity, type Density } from '#web/ui/theme/theme.ts'
import { readStored, removeStored, setStored } from '#web/data/storage/browser-storage.ts'
import { useEffect } from 'react'
import { changeProfile } from '#api/account.ts'
import type { SessionUser } from '#api/sessions.ts'
import { HOST_LANGUAGE_COOKIE, type Language, LANGUAGE_COOKIE } from '#domain/shared/language.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'
import { call } from '#web/data/api/call.ts'

/** Chooses how much room things take, in this browser and from now on; `theme-setup.js` reads it before anything is drawn. */
export function setDensity(density: Density): void {
  if (density === 'auto') removeStored('density')
  else setStored('density', density)
  applyDensity(density)
}

const YEAR_S = 365 * 24 * 60 * 60

/** Under this a tab keeps which language it has asked for already, so that one that does not come is asked for once. */
const REQUESTED_KEY = 'language-asked'

/** Keeps the choice for this browser and loads the page anew: each language is a page of its own. */
export function reloadInLanguage(language: Language): void {
  const isSecure = window.location.protocol === 'https:'
  const [name, secure] = isSecure ? [HOST_LANGUAGE_COOKIE, '; secure'] : [LANGUAGE_COOKIE, '']
  document.cookie = `${name}=${language}; path=/; max-age=${YEAR_S}; samesite=lax${secure}`
  setStored(REQUESTED_KEY, language, 'session')
  window.location.reload()
}

/** Chooses for the account as well, so that the language follows to other browsers and into letters. */
export async function setLanguage(language: Language): Promise<void> {
  const change = () => reloadInLanguage(language)
  // A server that is away does not keep anybody from reading: the account learns it at the next choice.
  await call(changeProfile, { body: { language } }).then(change, change)
}

/** Speaks as whoever signed in has chosen elsewhere. */
export function useUserLanguage(user: SessionUser | null): void {
  const chosen = user !== null && user.view_as === null ? user.language : null
  useEffect(() => {
    if (chosen === null || chosen === LANGUAGE || readStored(REQUESTED_KEY, 'session') === chosen) return
    reloadInLanguage(chosen)
  }, [chosen])
}
