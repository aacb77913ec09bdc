import type { AssetId, CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { RichNode } from './document-schema.ts'

/** Mentioned user or record, without its name. */
export type Mention =
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'record'; readonly id: RecordId; readonly collection: CollectionId }

/** Name of a mention; undefined if the reader isn't allowed to see it. */
export type NameOf = (mention: Mention) => string | undefined

/** Distinct references, in document order. */
export const fileIdsIn = (document: RichNode): readonly AssetId[] => [
  ...new Set(referenceNodes(document).flatMap((node) => fileOf(node) ?? [])),
]

/** Distinct references, in document order. */
export function mentionsIn(document: RichNode): readonly Mention[] {
  const mentions = referenceNodes(document).flatMap((node) => mentionOf(node) ?? [])
  return [...new Map(mentions.map((mention) => [JSON.stringify(mention), mention])).values()]
}

function fileOf({ type, attrs }: RichNode): AssetId | undefined {
  const file = type === 'image' || type === 'file' ? attrs?.['file'] : undefined
  return typeof file === 'string' ? file : undefined
}

export function mentionOf({ type, attrs }: RichNode): Mention | undefined {
  const { kind, id, collection } = type === 'mention' && attrs ? attrs : {}
  if (typeof id !== 'string') return undefined
  if (kind === 'user') return { kind, id }
  return kind === 'record' && typeof collection === 'string' ? { kind, id, collection } : undefined
}

/** Uses a single array for performance, because this runs for every saved document. */
function referenceNodes(node: RichNode, found: RichNode[] = []): readonly RichNode[] {
  if (node.type === 'image' || node.type === 'file' || node.type === 'mention') found.push(node)
  for (const child of node.content ?? []) referenceNodes(child, found)
  return found
}

const ID = '([0-9a-hjkmnp-tv-z]{26})'
const FILE = new RegExp(`^/api/files/${ID}$`)
const USER = new RegExp(`^/api/users/${ID}$`)
const RECORD = new RegExp(`^/api/collections/${ID}/records/${ID}$`)

export const fileAddress = (file: AssetId): string => `/api/files/${file}`

export const mentionAddress = (mention: Mention): string =>
  mention.kind === 'user' ? `/api/users/${mention.id}` : `/api/collections/${mention.collection}/records/${mention.id}`

export const fileAtAddress = (address: string): AssetId | undefined => FILE.exec(address)?.[1]

export function mentionAtAddress(address: string): Mention | undefined {
  const user = USER.exec(address)?.[1]
  if (user !== undefined) return { kind: 'user', id: user }
  const [, collection, id] = RECORD.exec(address) ?? []
  return collection !== undefined && id !== undefined ? { kind: 'record', id, collection } : undefined
}
