import { redirect } from '@tanstack/react-router'
import { confirmSession } from '#web/data/api/call.ts'

import { sessionConfig, sessionState, whenSettled } from '#web/data/session/session-state.ts'
import { openedLinks } from '#web/features/auth/account-links/opened-link.ts'
import { rememberReturn, takeReturn } from '#web/features/auth/sign-in/return-path.ts'

/** Where a second factor is set up that the workspace requires. */
export const SECOND_FACTOR_PAGE = '/account/second-factor'

/** The search part of every address, as plain text on both sides. */
export type PlainSearch = { readonly [name: string]: string | undefined }

/** A URL as the router expects it. */
function partsOf(path: string) {
  const { pathname, searchParams, hash } = new URL(path, window.location.origin)
  return { to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1) }
}

type Visit = { readonly location: { readonly href: string }; readonly preload: boolean }

/**
 * For every page that is not marked as public: requires a session and remembers the requested page. A dead session
 * stops here too; one that cannot be checked right now is trusted, since the server checks every request.
 */
export async function requireSession({ location, preload }: Visit): Promise<void> {
  // A hovered link is no navigation, and no reason to refresh the token.
  const { status, user } = preload ? await whenSettled(sessionState) : await confirmSession()
  if (status === 'signed-in') {
    if (user?.needs_second_factor === true) redirect({ to: SECOND_FACTOR_PAGE, replace: true, throw: true })
    return
  }
  const wanted = preload ? undefined : rememberReturn(location.href)
  redirect({ to: sessionConfig.routes.login, search: { return: wanted }, replace: true, throw: true })
}

/** For the page where a required second factor is set up: users who have one go home. */
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

/**
 * For guest pages: signed-in users return to the requested page, or home. Links from emails stay there until answered.
 */
export async function requireGuest({ search, location, preload }: GuestVisit): Promise<void> {
  const { status } = await whenSettled(sessionState)
  if (status !== 'signed-in' || preload) return
  openedLinks.keep(location.pathname, search['code'])
  redirect({ ...partsOf(takeReturn(search['return'])), replace: true, throw: true })
}
