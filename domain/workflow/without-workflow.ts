import type { Collection } from '../collections/collection.ts'

/** The same collection for whoever may begin its records anywhere on their way. */
export function withoutWorkflow(collection: Collection): Collection {
  const { workflow: _, ...rest } = collection
  return rest
}
