import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { decide, whereFieldsReadable } from '#domain/access/decide.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { Asset } from '#domain/assets/asset.ts'
import { fieldById } from '#domain/collections/collection.ts'
import { ID_PATTERN, type RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { idsInside, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { findAsset } from './store.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import type { CookieActor } from '#server/identity/sign-in/cookie-actor.ts'
import type { Thumbnails } from '#server/files/images/thumbnails.ts'

const noSuchFile = (): Problem => new Problem('not-found', 'File not found.')

/** A file that the actor can't read is reported as missing. */
export async function getFile(deps: AssetDeps, actor: Actor, id: string): Promise<Asset> {
  const asset = ID_PATTERN.test(id) ? await findAsset(deps.database.readByKey, id) : undefined
  if (asset === undefined) throw noSuchFile()
  const mayRead =
    asset.record === null ? isOwn(asset, actor) : await mayReadRecord(deps, actor, { ...asset, record: asset.record })
  if (!mayRead) throw noSuchFile()
  return asset
}

/** The record that a file is attached to; an unattached file is reported as missing. */
export async function getFilePlace(deps: AssetDeps, actor: Actor, id: string) {
  const { collection: collectionId, field: fieldId, record } = await getFile(deps, actor, id)
  const definitions = await deps.definitions.current()
  const collection = definitions.byId.get(collectionId)
  const field = collection && fieldById(collection, fieldId)
  if (collection === undefined || field === undefined || record === null) throw noSuchFile()
  return { collection: collection.name, record, field: field.name }
}

/** Unattached files are visible only to their uploader, and hidden during impersonation. */
const isOwn = (asset: Asset, actor: Actor): boolean =>
  asset.userId !== null && asset.userId === userIdOf(actor) && !isImpersonated(actor)

async function mayReadRecord(
  deps: AssetDeps,
  actor: Actor,
  asset: Asset & { readonly record: RecordId },
): Promise<boolean> {
  const definitions = await deps.definitions.current()
  const collection = definitions.byId.get(asset.collection)
  const decision = decide(actor, 'records:read', collection)
  if (collection === undefined || !decision.allowed) return false
  if (fieldById(collection, asset.field) === undefined) return false
  const holding = whereFieldsReadable(decision, [asset.field])
  if (holding === undefined) return false
  const queryActor = { definitions, actor, now: deps.clock() }
  const allowed = { collection, decision: holding }
  const inside = await idsInside(scopeOf(deps, definitions), queryActor, allowed, [asset.record])
  return inside.has(asset.record)
}

export type AssetDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly clock: Clock
  readonly keys: KeyRing
  readonly blobs: BlobStorage
  readonly pictures: Thumbnails
  /** Authenticates image requests by cookie. */
  readonly cookieActor: CookieActor
}
