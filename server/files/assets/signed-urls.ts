import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Actor, timeZoneOf } from '#domain/access/actor.ts'
import {
  type UrlClaim,
  type UrlHolder,
  type ArchiveClaim,
  urlExpiresAtSeconds,
  urlHolderOf,
  archiveExpiresAtSeconds,
  claimsAllowing,
  printUrlClaim,
  printArchiveClaim,
} from '#domain/assets/signed-url-claims.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { KeyRing, SigningKey } from '#server/platform/crypto/key-ring.ts'
import type { SignFileUrl } from '#server/records/crud/record-deps.ts'

/** Width of list thumbnails, in pixels. */
const THUMB_WIDTH = 240

const hmacOf = (key: SigningKey, claim: string): string =>
  createHmac('sha256', key.keyFor('file-address')).update(claim).digest('base64url')

/** The signature includes the key ID, so that keys can be rotated. */
const sign = (key: SigningKey, claim: string): string => `${key.id}.${hmacOf(key, claim)}`

/** Parameters that a browser can't send as headers when it follows a URL: the impersonated user and the time zone. */
const holderParameters = (actor: Actor, { impersonated }: UrlHolder) => ({
  ...(impersonated !== null && { as: impersonated }),
  ...(timeZoneOf(actor) !== 'UTC' && { zone: timeZoneOf(actor) }),
})

/**
 * Signs short-lived URLs for image and download requests, which can't send a token; each URL is bound to its session.
 */
export const createFileUrlSigner =
  (keys: KeyRing, clock: Clock): SignFileUrl =>
  ({ id, width }, actor) => {
    const holder = urlHolderOf(actor)
    const endsAtSeconds = urlExpiresAtSeconds(clock())
    const address = (wanted: number | null): string => {
      if (holder === undefined) return `/api/files/${id}${wanted === null ? '' : `?w=${wanted}`}`
      const query = new URLSearchParams({
        ...(wanted !== null && { w: String(wanted) }),
        ...holderParameters(actor, holder),
        expires: String(endsAtSeconds),
        signature: sign(keys.current, printUrlClaim({ holder, file: id, width: wanted, endsAtSeconds })),
      })
      return `/api/files/${id}?${query.toString()}`
    }
    return { url: address(null), thumbUrl: width === null ? null : address(THUMB_WIDTH) }
  }

/** Signs the URL of an archive; `path` is its endpoint. */
export function signArchiveUrl(keys: KeyRing, now: Date, actor: Actor, path: string): string {
  const holder = urlHolderOf(actor)
  if (holder === undefined) return path
  const endsAtSeconds = archiveExpiresAtSeconds(now)
  const query = new URLSearchParams({
    ...holderParameters(actor, holder),
    expires: String(endsAtSeconds),
    signature: sign(keys.current, printArchiveClaim({ holder, path, endsAtSeconds })),
  })
  return `${path}?${query.toString()}`
}

/** Whether a signature is valid for this claim or a broader one and has not expired. */
export const isSigned = (keys: KeyRing, claim: UrlClaim, signature: string, now: Date): boolean =>
  hasValidSignature(keys, claimsAllowing(claim).map(printUrlClaim), { signature, isOver: isExpired(claim, now) })

export const isArchiveSigned = (keys: KeyRing, claim: ArchiveClaim, signature: string, now: Date): boolean =>
  hasValidSignature(keys, [printArchiveClaim(claim)], { signature, isOver: isExpired(claim, now) })

/** Written this way so that NaN counts as expired. */
const isExpired = ({ endsAtSeconds }: { readonly endsAtSeconds: number }, now: Date): boolean =>
  !(endsAtSeconds * 1000 > now.getTime())

function hasValidSignature(
  keys: KeyRing,
  claims: readonly string[],
  { signature, isOver: isLate }: { readonly signature: string; readonly isOver: boolean },
): boolean {
  const [keyId = '', sent = ''] = signature.split('.')
  const key = keys.findForSignature(keyId)
  if (key === undefined || isLate) return false
  const given = Buffer.from(sent)
  return claims.some((claim) => {
    const expected = Buffer.from(hmacOf(key, claim))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
