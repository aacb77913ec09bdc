import type { Actor } from '#domain/access/actor.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { UserId } from '#domain/shared/ids.ts'

/** Minimum lifetime of a URL, in ms. */
const URL_LIFETIME_MS = 60 * 60 * 1000

/** URLs signed within one interval are identical so that browsers can cache them; in ms. */
const URL_STEP_MS = 15 * 60 * 1000

/** Unix timestamp in seconds. */
export function urlExpiresAtSeconds(now: Date): number {
  const stepEndsAtMs = Math.ceil(now.getTime() / URL_STEP_MS) * URL_STEP_MS
  return (stepEndsAtMs + URL_LIFETIME_MS) / 1000
}

/** The session or API token, and the impersonated user if there is one. */
export type UrlHolder = { readonly credential: string; readonly impersonated: UserId | null }

/** Returns undefined for actors without credentials. */
export function urlHolderOf(actor: Actor): UrlHolder | undefined {
  if (actor.type !== 'user') return undefined
  const { sessionId, tokenId, userId } = actor
  const credential = sessionId === null ? tokenId && `token ${tokenId}` : `session ${sessionId}`
  return credential === undefined ? undefined : { credential, impersonated: isImpersonated(actor) ? userId : null }
}

/** Claims of a signed file URL; a null width means the original file. */
export type UrlClaim = {
  readonly holder: UrlHolder
  readonly file: string
  readonly width: number | null
  readonly endsAtSeconds: number
}

/** Text to sign. Components never contain line breaks, so the separator is unambiguous. */
export const printUrlClaim = ({ holder, file, width, endsAtSeconds }: UrlClaim): string =>
  ['file-address-2', holder.credential, holder.impersonated ?? 'self', file, width ?? 'whole', endsAtSeconds].join('\n')

/**
 * A URL is valid if it was signed for this width or for the whole file. `download` isn't signed, because it grants no
 * extra access.
 */
export const claimsAllowing = (claim: UrlClaim): readonly UrlClaim[] =>
  claim.width === null ? [claim] : [claim, { ...claim, width: null }]

/** Short, because archive URLs are used immediately. */
const ARCHIVE_LIFETIME_MS = 5 * 60 * 1000

/** Unix timestamp in seconds. */
export const archiveExpiresAtSeconds = (now: Date): number => Math.ceil((now.getTime() + ARCHIVE_LIFETIME_MS) / 1000)

export type ArchiveClaim = {
  readonly holder: UrlHolder
  readonly path: string
  readonly endsAtSeconds: number
}

/** Text to sign; paths contain no line breaks. */
export const printArchiveClaim = ({ holder, path, endsAtSeconds }: ArchiveClaim): string =>
  ['archive-address-1', holder.credential, holder.impersonated ?? 'self', path, endsAtSeconds].join('\n')
