import { createHmac, timingSafeEqual } from 'node:crypto'
import { timeZoneOf } from '#domain/access/actor.ts'
import {
  type AddressClaim,
  addressEndsAtSeconds,
  addressHolderOf,
  claimsAllowing,
  printAddressClaim,
} from '#domain/assets/file-address.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { KeyRing, SigningKey } from '#server/keys/key-ring.ts'
import type { FileAddress } from '#server/records/record-needs.ts'

/** The width of the pictures in lists. */
const THUMB_WIDTH = 240

const mark = (key: SigningKey, claim: AddressClaim): string =>
  createHmac('sha256', key.keyFor('file-address')).update(printAddressClaim(claim)).digest('base64url')

/** Signs a claim; the key's id stands in front, so that keys can be replaced without a break. */
const sign = (key: SigningKey, claim: AddressClaim): string => `${key.id}.${mark(key, claim)}`

/**
 * Makes short-lived addresses for pictures in pages and for downloads, which cannot carry a token: they work together with
 * the sign-in they were made for, and with nothing else.
 */
export const fileAddresses =
  (keys: KeyRing, clock: Clock): FileAddress =>
  ({ id, width }, actor) => {
    const holder = addressHolderOf(actor)
    const endsAtSeconds = addressEndsAtSeconds(clock())
    const timeZone = timeZoneOf(actor)
    const address = (wanted: number | null): string => {
      if (holder === undefined) return `/api/files/${id}${wanted === null ? '' : `?w=${wanted}`}`
      const query = new URLSearchParams({
        ...(wanted !== null && { w: String(wanted) }),
        ...(holder.seenAs !== null && { as: holder.seenAs }),
        ...(timeZone !== 'UTC' && { zone: timeZone }),
        expires: String(endsAtSeconds),
        signature: sign(keys.current, { holder, file: id, width: wanted, endsAtSeconds }),
      })
      return `/api/files/${id}?${query.toString()}`
    }
    return { url: address(null), thumbUrl: width === null ? null : address(THUMB_WIDTH) }
  }

/** Whether a signature is one of ours for what is claimed or for more, and still counts. */
export function isSigned(keys: KeyRing, claim: AddressClaim, signature: string, now: Date): boolean {
  const [keyId = '', sent = ''] = signature.split('.')
  const key = keys.findForSignature(keyId)
  if (key === undefined || !(claim.endsAtSeconds * 1000 > now.getTime())) return false
  const given = Buffer.from(sent)
  return claimsAllowing(claim).some((allowing) => {
    const expected = Buffer.from(mark(key, allowing))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
