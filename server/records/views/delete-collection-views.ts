import type { CollectionId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { deleteViewsOf } from './store.ts'

export const deleteCollectionViews = (transaction: Transaction, collection: CollectionId): Promise<void> =>
  deleteViewsOf(transaction, collection)
