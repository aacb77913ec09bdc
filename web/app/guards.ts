import { redirect } from '@tanstack/react-router'
import { confirmSession } from '#web/data/api/call.ts'
import { sessionConfig, sessionState, whenSettled } from '#web/data/session/session-state.ts'
import { openedLinks } from '#web/features/auth/account-links/opened-link.ts'
import { rememberReturn, takeReturn } from '#web/features/auth/sign-in/return-path.ts'

/** Where a required second factor is set up. */
export const SECOND_FACTOR_PAGE = '/account/second-factor'

export type PlainSearch = { readonly [name: string]: string | undefined }

function partsOf(path: string) {
  const { pathname, searchParams, hash } = new URL(path, window.location.origin)
  return { to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1) }
}

type Visit = { readonly location: { readonly href: string }; readonly preload: boolean }

/**
 * Requires a session on every page not marked as public, and remembers the requested page. A session that can't be
 * checked right now is trusted, because the server checks every request.
 */
export async function requireSession({ location, preload }: Visit): Promise<void> {
  // Prefetching a hovered link is no reason to refresh the token.
  const { status, user } = preload ? await whenSettled(sessionState) : await confirmSession()
  if (status === 'signed-in') {
    if (user?.needs_second_factor === true) redirect({ to: SECOND_FACTOR_PAGE, replace: true, throw: true })
    return
  }
  const wanted = preload ? undefined : rememberReturn(location.href)
  redirect({ to: sessionConfig.routes.login, search: { return: wanted }, replace: true, throw: true })
}

/** For the setup of a required second factor; users who have one go home. */
export async function requireMissingFactor(visit: Visit): Promise<void> {
  const { user } = visit.preload ? await whenSettled(sessionState) : await confirmSession()
  if (user?.needs_second_factor === true) return
  redirect({ to: sessionConfig.routes.home, replace: true, throw: true })
}

type GuestVisit = {
  readonly search: PlainSearch
  readonly location: { readonly pathname: string }
  readonly preload: boolean
}

/** For guest pages: signed-in users go to the requested page or home. Links from emails stay until answered. */
export async function requireGuest({ search, location, preload }: GuestVisit): Promise<void> {
  const { status } = await whenSettled(sessionState)
  if (status !== 'signed-in' || preload) return
  openedLinks.keep(location.pathname, search['code'])
  redirect({ ...partsOf(takeReturn(search['return'])), replace: true, throw: true })
}
