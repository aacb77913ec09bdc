import type { Collection } from '#domain/collections/collection.ts'
import type { Event } from '#domain/shared/event.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Change } from '#server/records/changes/change-log.ts'

export function definitionChange(
  before: Collection | null,
  after: Collection | null,
): { readonly changes: readonly Change[]; readonly events: readonly Event[] } {
  const kind = before === null ? 'collection-created' : after === null ? 'collection-deleted' : 'collection-changed'
  const collection = after?.id ?? before?.id ?? null
  return {
    changes: [{ kind, collection, record: null, before: asJson(before), after: asJson(after) }],
    events: [{ type: 'definitions-changed' }],
  }
}

/** A definition is plain JSON; the JSON round trip drops undefined values. */
const asJson = (collection: Collection | null): Json => JSON.parse(JSON.stringify(collection))
