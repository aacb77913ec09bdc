import type { Actor } from '#domain/access/actor.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { UserId } from '#domain/shared/ids.ts'

/** Minimum lifetime, in ms. */
const URL_LIFETIME_MS = 60 * 60 * 1000

/** URLs signed within one interval are equal, so browser caches work; in ms. */
const URL_STEP_MS = 15 * 60 * 1000

/** In seconds since 1970. */
export function urlExpiresAtSeconds(now: Date): number {
  const stepEndsAtMs = Math.ceil(now.getTime() / URL_STEP_MS) * URL_STEP_MS
  return (stepEndsAtMs + URL_LIFETIME_MS) / 1000
}

/** One session or API token, and the impersonated user if any. */
export type UrlHolder = { readonly credential: string; readonly impersonated: UserId | null }

/** Undefined for actors without credentials. */
export function urlHolderOf(actor: Actor): UrlHolder | undefined {
  if (actor.type !== 'user') return undefined
  const { sessionId, tokenId, userId } = actor
  const credential = sessionId === null ? tokenId && `token ${tokenId}` : `session ${sessionId}`
  return credential === undefined ? undefined : { credential, impersonated: isImpersonated(actor) ? userId : null }
}

/** The claims of a signed file URL; width null: the original. */
export type UrlClaim = {
  readonly holder: UrlHolder
  readonly file: string
  readonly width: number | null
  readonly endsAtSeconds: number
}

/** The text to sign. No part contains a line break, so adjacent parts can't be confused. */
export const printUrlClaim = ({ holder, file, width, endsAtSeconds }: UrlClaim): string =>
  ['file-address-2', holder.credential, holder.impersonated ?? 'self', file, width ?? 'whole', endsAtSeconds].join('\n')

/** Claims for exactly this width, or for the whole file. `download` isn't signed, because it reveals nothing more. */
export const claimsAllowing = (claim: UrlClaim): readonly UrlClaim[] =>
  claim.width === null ? [claim] : [claim, { ...claim, width: null }]

/** In ms; archive URLs are used immediately. */
const ARCHIVE_LIFETIME_MS = 5 * 60 * 1000

/** In seconds since 1970. */
export const archiveExpiresAtSeconds = (now: Date): number => Math.ceil((now.getTime() + ARCHIVE_LIFETIME_MS) / 1000)

export type ArchiveClaim = {
  readonly holder: UrlHolder
  readonly path: string
  readonly endsAtSeconds: number
}

/** The text to sign; paths contain no line breaks. */
export const printArchiveClaim = ({ holder, path, endsAtSeconds }: ArchiveClaim): string =>
  ['archive-address-1', holder.credential, holder.impersonated ?? 'self', path, endsAtSeconds].join('\n')
