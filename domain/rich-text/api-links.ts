import type { AssetId } from '#domain/shared/ids.ts'
import type { Mention } from './document-references.ts'

/** An id as it stands in an address. */
const ID = '([0-9a-hjkmnp-tv-z]{26})'
const FILE = new RegExp(`^/api/files/${ID}$`)
const USER = new RegExp(`^/api/users/${ID}$`)
const RECORD = new RegExp(`^/api/collections/${ID}/records/${ID}$`)

/** Where our API has a file. */
export const fileAddress = (file: AssetId): string => `/api/files/${file}`

/** Where our API has what is mentioned. */
export const mentionAddress = (mention: Mention): string =>
  mention.kind === 'user' ? `/api/users/${mention.id}` : `/api/collections/${mention.collection}/records/${mention.id}`

/** The file that an address of our API names. */
export const fileAtAddress = (address: string): AssetId | undefined => FILE.exec(address)?.[1]

/** Whom or what an address of our API names. */
export function mentionAtAddress(address: string): Mention | undefined {
  const user = USER.exec(address)?.[1]
  if (user !== undefined) return { kind: 'user', id: user }
  const [, collection, id] = RECORD.exec(address) ?? []
  return collection !== undefined && id !== undefined ? { kind: 'record', id, collection } : undefined
}
