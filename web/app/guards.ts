import { redirect } from '@tanstack/react-router'
import { confirmSession } from '#web/data/api/call.ts'

import { sessionConfig, sessionState, whenSettled } from '#web/data/session/session-state.ts'
import { openedLinks } from '#web/features/auth/account-links/opened-link.ts'
import { rememberReturn, takeReturn } from '#web/features/auth/sign-in/return-path.ts'

/** Where a second factor is set up that the workspace requires. */
export const SECOND_FACTOR_PAGE = '/account/second-factor'

/** The search part of every address, as plain text on both sides. */
export type PlainSearch = { readonly [name: string]: string | undefined }

/** An address as the router wants to be told it. */
function partsOf(path: string) {
  const { pathname, searchParams, hash } = new URL(path, window.location.origin)
  return { to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1) }
}

type Visit = { readonly location: { readonly href: string }; readonly preload: boolean }

/**
 * For every page that is not marked as open: nobody goes on without a session, and the page they wanted is kept. A
 * session that turns out to be dead stops the way here, too; one that cannot be asked for right now is trusted, as the
 * server judges every request by itself.
 */
export async function requireSession({ location, preload }: Visit): Promise<void> {
  // A link somebody only points at is not where they want to go, and no reason to ask for a new token.
  const { status, user } = preload ? await whenSettled(sessionState) : await confirmSession()
  if (status === 'signed-in') {
    if (user?.needs_second_factor === true) redirect({ to: SECOND_FACTOR_PAGE, replace: true, throw: true })
    return
  }
  const wanted = preload ? undefined : rememberReturn(location.href)
  redirect({ to: sessionConfig.routes.login, search: { return: wanted }, replace: true, throw: true })
}

/** For the page where a required second factor is set up: whoever has one already goes home. */
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
 * For pages only guests see: whoever is signed in goes back where they wanted to be, else home. A link from a letter that
 * they opened waits there for their answer.
 */
export async function requireGuest({ search, location, preload }: GuestVisit): Promise<void> {
  const { status } = await whenSettled(sessionState)
  if (status !== 'signed-in' || preload) return
  openedLinks.keep(location.pathname, search['code'])
  redirect({ ...partsOf(takeReturn(search['return'])), replace: true, throw: true })
}
