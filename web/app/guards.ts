import { redirect } from '@tanstack/react-router'
import { SESSION } from '#domain/specification.ts'
import { sessionState, whenSettled } from '#web/client/session-state.ts'
import { rememberReturn, takeReturn } from '#web/features/session/return-path.ts'

/** The search part of every address, as plain text on both sides. */
export type PlainSearch = { readonly [name: string]: string | undefined }

/** An address as the router wants to be told it. */
function partsOf(path: string) {
  const { pathname, searchParams, hash } = new URL(path, window.location.origin)
  return { to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1) }
}

/** For every page that is not marked as open: nobody goes on without a session, and the page they wanted is kept. */
export async function requireSession({ location }: { readonly location: { readonly href: string } }): Promise<void> {
  const { status } = await whenSettled(sessionState)
  if (status === 'signed-in') return
  const wanted = rememberReturn(location.href)
  redirect({ to: SESSION.routes.login, search: { return: wanted }, replace: true, throw: true })
}

/** For pages only guests see: whoever is signed in goes back where they wanted to be, else home. */
export async function requireGuest({ search }: { readonly search: PlainSearch }): Promise<void> {
  const { status } = await whenSettled(sessionState)
  if (status === 'signed-in') redirect({ ...partsOf(takeReturn(search['return'])), replace: true, throw: true })
}
