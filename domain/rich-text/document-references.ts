import type { AssetId, CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { RichNode } from './document-schema.ts'
import type { FieldValue } from '#domain/fields/field.ts'

/** Somebody, or a record, that a document speaks of. Its name is no part of the document. */
export type Mention =
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'record'; readonly id: RecordId; readonly collection: CollectionId }

/** What a mention is called, where whoever reads may know it. */
export type NameOf = (mention: Mention) => string | undefined

/** The files that a document shows, as pictures or as cards: each once, in the order of the document. */
export const fileIdsIn = (document: RichNode): readonly AssetId[] => [
  ...new Set(referenceNodes(document).flatMap((node) => fileOf(node) ?? [])),
]

/** Whom and what a document mentions: each once, in the order of the document. */
export function mentionsIn(document: RichNode): readonly Mention[] {
  const mentions = referenceNodes(document).flatMap((node) => mentionOf(node) ?? [])
  return [...new Map(mentions.map((mention) => [JSON.stringify(mention), mention])).values()]
}

/** The file a node shows. */
function fileOf({ type, attrs }: RichNode): AssetId | undefined {
  const file = type === 'image' || type === 'file' ? attrs?.['file'] : undefined
  return typeof file === 'string' ? file : undefined
}

/** What a node mentions. */
export function mentionOf({ type, attrs }: RichNode): Mention | undefined {
  const { kind, id, collection } = type === 'mention' && attrs ? attrs : {}
  if (typeof id !== 'string') return undefined
  if (kind === 'user') return { kind, id }
  return kind === 'record' && typeof collection === 'string' ? { kind, id, collection } : undefined
}

/** The nodes that name something by its id. Every document that is written is gone through here, long ones as well. */
function referenceNodes(node: RichNode, found: RichNode[] = []): readonly RichNode[] {
  if (node.type === 'image' || node.type === 'file' || node.type === 'mention') found.push(node)
  for (const child of node.content ?? []) referenceNodes(child, found)
  return found
}

/** Whether a value is a document that names files, people or records by id: it is for the one record it is written in. */
export const hasReferences = (value: FieldValue): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (fileIdsIn(value).length > 0 || mentionsIn(value).length > 0)

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
