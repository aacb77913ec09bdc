import type { IncomingHttpHeaders } from 'node:http'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'

/** Where a page says whom it shows, so that it never goes on as somebody else. */
const EXPECTED_USER = 'x-dossier-user'

/** Whom the page that asks shows; undefined when it does not say. */
export function expectedUserOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[EXPECTED_USER]
  return typeof given === 'string' ? given : undefined
}

/** The problem of a page that shows somebody else than who is signed in. */
export const userChanged = (): Problem =>
  new Problem('user-changed', 'Another user has signed in with this browser. Reload the page to continue as them.')

/** Whether who is signed in is not who the page shows. */
export const isSomebodyElse = (userId: UserId, expected: string | undefined): boolean =>
  expected !== undefined && expected !== userId
