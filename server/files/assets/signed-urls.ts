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
import type { Clock } from '#domain/shared/clock.ts'
import type { KeyRing, SigningKey } from '#server/platform/crypto/key-ring.ts'
import type { SignFileUrl } from '#server/records/crud/record-deps.ts'

/** The width of the pictures in lists. */
const THUMB_WIDTH = 240

const hmacOf = (key: SigningKey, claim: string): string =>
  createHmac('sha256', key.keyFor('file-address')).update(claim).digest('base64url')

/** Signs a claim; the key's id stands in front, so that keys can be replaced without a break. */
const sign = (key: SigningKey, claim: string): string => `${key.id}.${hmacOf(key, claim)}`

/** As whom its holder looks, and the calendar they live by: what a browser that follows an address cannot say itself. */
const holderParameters = (actor: Actor, { seenAs }: UrlHolder) => ({
  ...(seenAs !== null && { as: seenAs }),
  ...(timeZoneOf(actor) !== 'UTC' && { zone: timeZoneOf(actor) }),
})

/**
 * Makes short-lived addresses for pictures in pages and for downloads, which cannot carry a token: they work together with
 * the sign-in they were made for, and with nothing else.
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

/** Makes the address by which a browser fetches an archive by itself; `path` is the archive's door. */
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

/** Whether a signature is one of ours for what is claimed or for more, and still counts. */
export const isSigned = (keys: KeyRing, claim: UrlClaim, signature: string, now: Date): boolean =>
  hasValidSignature(keys, claimsAllowing(claim).map(printUrlClaim), { signature, isOver: isExpired(claim, now) })

/** The same for an archive. */
export const isArchiveSigned = (keys: KeyRing, claim: ArchiveClaim, signature: string, now: Date): boolean =>
  hasValidSignature(keys, [printArchiveClaim(claim)], { signature, isOver: isExpired(claim, now) })

/** An end that is no number is none. */
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
