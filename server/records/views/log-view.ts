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
    changes: [{ kind, collection, record: null, before: logged(before), after: logged(after) }],
    events: [{ type: 'views-changed', collection }],
  }
}

/** Of a private view, only that it exists. A view is plain JSON; the JSON round trip drops undefined values. */
const logged = (view: View | null): Json =>
  view?.isShared === false ? { isShared: false } : JSON.parse(JSON.stringify(view))

/** The logged state of a view: null while it doesn't exist. */
export type LoggedView = View | { readonly isShared: false } | null

export const isSharedView = (view: LoggedView): view is View => view?.isShared === true
