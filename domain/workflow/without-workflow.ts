import type { Collection } from '../collections/collection.ts'

/** The collection without its workflow, for users who may create records in any status. */
export function withoutWorkflow(collection: Collection): Collection {
  const { workflow: _, ...rest } = collection
  return rest
}
