import type { Actor } from '#domain/access/actor.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { UserId } from '#domain/shared/ids.ts'

/** How long a signed address lives at least, in ms. */
const URL_LIFETIME_MS = 60 * 60 * 1000

/** Addresses signed within one such step are the same, so that a browser that has the picture asks no more, in ms. */
const URL_STEP_MS = 15 * 60 * 1000

/** When an address that is signed now ends, in seconds since 1970. */
export function urlExpiresAtSeconds(now: Date): number {
  const stepEndsAtMs = Math.ceil(now.getTime() / URL_STEP_MS) * URL_STEP_MS
  return (stepEndsAtMs + URL_LIFETIME_MS) / 1000
}

/** Who may use a signed URL: one session or one API token, and the impersonated user if any. */
export type UrlHolder = { readonly credential: string; readonly impersonated: UserId | null }

/** Under which credentials an actor asks; undefined for those who have none, whom no address is made for. */
export function urlHolderOf(actor: Actor): UrlHolder | undefined {
  if (actor.type !== 'user') return undefined
  const { sessionId, tokenId, userId } = actor
  const credential = sessionId === null ? tokenId && `token ${tokenId}` : `session ${sessionId}`
  return credential === undefined ? undefined : { credential, impersonated: isImpersonated(actor) ? userId : null }
}

/** What a signature vouches for: one file for one holder, in one width (null: as it is), until a moment. */
export type UrlClaim = {
  readonly holder: UrlHolder
  readonly file: string
  readonly width: number | null
  readonly endsAtSeconds: number
}

/** The text that is signed. Its parts cannot run into one another: ids and numbers have no lines. */
export const printUrlClaim = ({ holder, file, width, endsAtSeconds }: UrlClaim): string =>
  ['file-address-2', holder.credential, holder.impersonated ?? 'self', file, width ?? 'whole', endsAtSeconds].join('\n')

/**
 * The claims that allow what is asked: one for exactly this width, or one for the whole file, of which a smaller copy
 * shows less. That a file is to be saved is never claimed: it shows nothing more.
 */
export const claimsAllowing = (claim: UrlClaim): readonly UrlClaim[] =>
  claim.width === null ? [claim] : [claim, { ...claim, width: null }]

/** How long the address of an archive counts, which is followed as soon as it is made, in ms. */
const ARCHIVE_LIFETIME_MS = 5 * 60 * 1000

/** When the address of an archive that is signed now ends, in seconds since 1970. */
export const archiveExpiresAtSeconds = (now: Date): number => Math.ceil((now.getTime() + ARCHIVE_LIFETIME_MS) / 1000)

/** What the signature of an archive's address vouches for: that a page of this holder's was given this path. */
export type ArchiveClaim = {
  readonly holder: UrlHolder
  readonly path: string
  readonly endsAtSeconds: number
}

/** The text that is signed; a path has no lines either. */
export const printArchiveClaim = ({ holder, path, endsAtSeconds }: ArchiveClaim): string =>
  ['archive-address-1', holder.credential, holder.impersonated ?? 'self', path, endsAtSeconds].join('\n')
