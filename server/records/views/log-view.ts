import type { Event } from '#domain/shared/event.ts'
import type { Json } from '#domain/shared/json.ts'
import type { View } from '#domain/views/view.ts'
import type { Change } from '#server/records/changes/change-log.ts'

/** The log entry and event for a view; none if the view is private. */
export function viewChange(
  before: View | null,
  after: View | null,
): { readonly changes: readonly Change[]; readonly events: readonly Event[] } {
  const [was, is] = [before, after].map((view) => (view?.isShared === true ? view : null))
  const collection = (is ?? was)?.collection
  if (collection === undefined) return { changes: [], events: [] }
  const kind = was ? (is ? 'view-changed' : 'view-deleted') : 'view-created'
  return {
    changes: [{ kind, collection, record: null, before: asJson(was ?? null), after: asJson(is ?? null) }],
    events: [{ type: 'views-changed', collection }],
  }
}

/** A view is plain JSON; the JSON round trip drops undefined values. */
const asJson = (view: View | null): Json => JSON.parse(JSON.stringify(view))
