import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { loadCollections } from './store.ts'

export const collectionsById = async (reader: Reader): Promise<ReadonlyMap<CollectionId, Collection>> =>
  new Map((await loadCollections(reader)).map((collection) => [collection.id, collection]))
